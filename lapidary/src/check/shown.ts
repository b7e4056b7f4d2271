/** An answer as text, as a report shows it. */
import { decodeUtf8 } from '../describe/utf8.ts'
import { type Exchange, isWireResponse } from './exchange.ts'

/** Longer bodies are cut there, in characters. */
const maxBodyCharacters = 2_000

/** The head of an answer and its body; why there was none, where there was none. */
export function formatResponse({ response: answered }: Exchange): string | null {
  if (!isWireResponse(answered)) return answered.reason
  const { status, rawHeaders, body } = answered
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
  const text = decodeUtf8(body) ?? `(${body.length} bytes that are no text)`
  return [`HTTP/1.1 ${status}`, ...lines, '', text.length > maxBodyCharacters ? `${text.slice(0, maxBodyCharacters)}…` : text].join('\n')
}
