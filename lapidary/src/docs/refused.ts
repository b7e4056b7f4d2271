/** A request that an API refuses, and what it is answered: the example of problem details. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { answer } from '../describe/message.ts'
import { percentEncoded } from '../describe/percent.ts'
import { problem } from '../describe/problem.ts'
import { queryReader } from '../describe/queryReader.ts'
import { isWrong } from '../describe/reading.ts'
import type { Example } from '../examples/encoding.ts'
import { requests } from './requests.ts'
import type { Section } from './section.ts'

/** A request that is refused. Plain data. */
export interface Refused {
  /** `GET /hello?name=Ann&name=Ben` */
  line: string
  status: number
  /** Its problem details, byte for byte. */
  example: Example
}

/** What is wrong with a request to this endpoint that gives a value once too often; nothing where no parameter can show it. */
export function refusedBy(endpoint: AnyEndpoint, section: Section): readonly Refused[] {
  // Whoever is asked for credentials or for a body is refused for the lack of them first.
  const [shown] = endpoint.auth === undefined && endpoint.body === undefined ? requests(section) : []
  const field = section.query.find(({ repeats, examples }) => !repeats && examples.length > 0)
  if (shown === undefined || field === undefined) return []
  const [one = '', other = one] = field.examples
  const pairs = [...(field.required ? [] : [one]), other].map((text) => `${percentEncoded(field.name)}=${percentEncoded(text)}`)
  const target = `${shown.target}${shown.target.includes('?') ? '&' : '?'}${pairs.join('&')}`
  const errors = queryReader(endpoint.query)(target.slice(target.indexOf('?') + 1))
  if (!isWrong(errors)) return []
  const text = JSON.stringify(problem(400, { detail: answer.badInput('query'), errors }))
  return [{ line: `${shown.method} ${target}`, status: 400, example: { language: 'json', text, base64: false } }]
}
