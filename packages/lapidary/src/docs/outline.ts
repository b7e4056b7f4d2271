/** `outline(api)`: everything that documentation says of an API, as plain data. */

import { type Api, operations } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { Example } from '../contract/exampleBody.ts'
import { createQueryReader, isReadError } from '../contract/parameters/readers.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import { createProblem } from '../http/problemDetails.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { documentedRequests } from './requests.ts'
import { documentOperation, type Section } from './section.ts'

// A request that an API refuses, and what it is answered: the example of problem details.

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

/** Some words before the endpoints. */
export interface Introduction {
  title: string
  paragraphs: string[]
}

/** The documentation of an API, before it is printed. Plain data, all of it JSON, and yours: change what you like. */
export interface Outline {
  /** Empty where there is none. */
  title: string
  introductions: Introduction[]
  /** What an error looks like; null where no endpoint can show it. */
  errorExample: ErrorExample | null
  sections: Section[]
}

/** What stands before the endpoints. */
export interface OutlineOptions {
  /** The title of the whole. Default: none. */
  readonly title?: string
  /** Default: none. */
  readonly intros?: readonly { readonly title: string; readonly paragraphs: readonly string[] }[]
}

/**
 * The outline of an API: the introductions, then one section for each endpoint and mount, in the order of declaration.
 * Example bodies are written by the endpoint's own encoders, from its `examples` or, without them, from a value made of the schema.
 *
 * @throws TypeError, one sentence with its cure, when an example does not fit its description.
 */
export async function outline(api: Api, { title = '', intros = [] }: OutlineOptions = {}): Promise<Outline> {
  const walked = await Promise.all(operations(api).map(async (one) => ({ ...one, section: await documentOperation(one) })))
  const [refused = null] = walked.flatMap(({ operation, section }) =>
    operation['~kind'] === 'mount' ? [] : createErrorExamples(operation, section),
  )
  return {
    title,
    introductions: intros.map((intro) => ({ title: intro.title, paragraphs: [...intro.paragraphs] })),
    errorExample: refused,
    sections: walked.map(({ section }) => section),
  }
}
