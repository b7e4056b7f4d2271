/** A request that an API refuses, and what it is answered: the example of problem details. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { problemDetail } from '../describe/message.ts'
import { percentEncode } from '../describe/percent.ts'
import { createProblem } from '../describe/problem.ts'
import { createQueryReader } from '../describe/queryReader.ts'
import { isReadError } from '../describe/reading.ts'
import type { Example } from '../examples/encoding.ts'
import { documentedRequests } from './requests.ts'
import type { Section } from './section.ts'

/** A request that is refused. Plain data. */
export interface ErrorExample {
  /** `GET /hello?name=Ann&name=Ben` */
  line: string
  status: number
  /** Its problem details, byte for byte. */
  example: Example
}

/** What is wrong with a request to this endpoint that gives a value once too often; nothing where no parameter can show it. */
export function createErrorExamples(endpoint: AnyEndpoint, section: Section): readonly ErrorExample[] {
  // Whoever is asked for credentials or for a body is refused for the lack of them first.
  const [shown] = endpoint.auth === undefined && endpoint.body === undefined ? documentedRequests(section) : []
  const field = section.query.find(({ repeats, examples }) => !repeats && examples.length > 0)
  if (shown === undefined || field === undefined) return []
  const [one = '', other = one] = field.examples
  const pairs = [...(field.required ? [] : [one]), other].map((text) => `${percentEncode(field.name)}=${percentEncode(text)}`)
  const target = `${shown.target}${shown.target.includes('?') ? '&' : '?'}${pairs.join('&')}`
  const errors = createQueryReader(endpoint.query)(target.slice(target.indexOf('?') + 1))
  if (!isReadError(errors)) return []
  const text = JSON.stringify(createProblem(400, { detail: problemDetail.badInput('query'), errors }))
  return [{ line: `${shown.method} ${target}`, status: 400, example: { language: 'json', text, base64: false } }]
}
