/** An answer as text, as a report shows it. */
import { utf8Decoded } from '../describe/utf8.ts'
import { type Exchange, isAnswered } from './exchange.ts'

/** Longer bodies are cut there, in characters. */
const longest = 2_000

/** The head of an answer and its body; why there was none, where there was none. */
export function answerText({ answered }: Exchange): string | null {
  if (!isAnswered(answered)) return answered.reason
  const { status, rawHeaders, body } = answered
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
  const text = utf8Decoded(body) ?? `(${body.length} bytes that are no text)`
  return [`HTTP/1.1 ${status}`, ...lines, '', text.length > longest ? `${text.slice(0, longest)}…` : text].join('\n')
}
