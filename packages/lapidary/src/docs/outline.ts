/** `outline(api)`: the documentation of an API, as plain data. */
import { type Api, isMount, listWebhooks, operations } from '../contract/api.ts'
import { isAuthOptional } from '../contract/auth/alternatives.ts'
import { hasConventions, setConventions } from '../contract/conventions.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { Example } from '../contract/exampleBody.ts'
import { createQueryReader, isReadError } from '../contract/parameters/readers.ts'
import type { AnyWebhook } from '../contract/webhook.ts'
import { createProblem } from '../http/httpError.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { documentedRequests } from './requests.ts'
import { documentOperation, type Section } from './section.ts'
import { documentWebhook, type WebhookSection } from './webhookSection.ts'

/** A request with an error, and its response. Plain data. */
export interface ErrorExample {
  /** The method and the target: `GET /hello?name=Ann&name=Ben`. */
  line: string
  status: number
  /** The problem details, byte for byte. */
  example: Example
}

/** A request that gives a value once too often; none where no parameter of the endpoint can show it. */
function createErrorExamples(endpoint: AnyEndpoint, section: Section): readonly ErrorExample[] {
  if (!hasConventions(endpoint)) return []
  // An endpoint with credentials or a body would report that they are missing first.
  const needsCredentials = endpoint.auth !== undefined && !isAuthOptional(endpoint.auth)
  const [request] = !needsCredentials && endpoint.body === undefined ? documentedRequests(section) : []
  const field = section.query.find(({ repeats, examples }) => !repeats && examples.length > 0)
  if (request === undefined || field === undefined) return []
  const [one = '', other = one] = field.examples
  const pairs = [...(field.required ? [] : [one]), other].map((text) => `${percentEncode(field.name)}=${percentEncode(text)}`)
  const target = `${request.target}${request.target.includes('?') ? '&' : '?'}${pairs.join('&')}`
  const errors = createQueryReader(endpoint.query, endpoint.parameterGroups.query)(target.slice(target.indexOf('?') + 1))
  if (!isReadError(errors)) return []
  const text = JSON.stringify(createProblem(400, { detail: problemDetail.badInput('query'), errors }))
  return [{ line: `${request.method} ${target}`, status: 400, example: { language: 'json', text, base64: false } }]
}

/** Text before the endpoints. */
export interface Introduction {
  title: string
  paragraphs: string[]
}

/** The documentation of an API. Plain data in JSON types, which the caller can change. */
export interface Outline {
  /** Empty where there is none. */
  title: string
  introductions: Introduction[]
  /** An example of an error; null where no endpoint can show one. */
  errorExample: ErrorExample | null
  sections: Section[]
  /** The webhooks that the server sends; absent where there are none. */
  webhooks?: WebhookSection[]
}

/** Options of `outline`. */
export interface OutlineOptions {
  /**
   * The title of the document.
   *
   * @default none
   */
  readonly title?: string
  /**
   * Introductions before the endpoints.
   *
   * @default none
   */
  readonly introductions?: readonly { readonly title: string; readonly paragraphs: readonly string[] }[]
  /**
   * Whether the documentation has what every server of the toolkit does: problem details for errors, HEAD beside GET, the statuses 400, 406,
   * 413, 415 and 500, signed webhooks.
   *
   * @default true, and false for what `fromOpenApi` has made of a document of another program
   */
  readonly conventions?: boolean
}

/**
 * Documents an API: the introductions, then one section for each endpoint and mount, and for each webhook, in the order of declaration. Example bodies come from
 * the `examples` of an endpoint, or from a value that its schema allows, and its own media types encode them.
 *
 * @throws TypeError, with the cure, for an example that its schema does not allow.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { markdown, outline } from 'lapidary/docs'
 *
 * const api = { hello: endpoint('GET /hello', { query: { name: text }, response: ok(text), summary: 'Says hello.' }) }
 * console.log(markdown(await outline(api, { title: 'Greetings' })))
 * ```
 */
export async function outline(api: Api, { title = '', introductions = [], conventions }: OutlineOptions = {}): Promise<Outline> {
  const choose = <Part extends AnyEndpoint | AnyWebhook>(part: Part): Part => setConventions(part, conventions ?? hasConventions(part))
  const documented = await Promise.all(
    operations(api).map(async (named) => {
      const operation = isMount(named.operation) ? named.operation : choose(named.operation)
      return { operation, section: await documentOperation({ ...named, operation }) }
    }),
  )
  const [errorExample = null] = documented.flatMap(({ operation, section }) =>
    isMount(operation) ? [] : createErrorExamples(operation, section),
  )
  const webhooks = await Promise.all(listWebhooks(api).map((named) => documentWebhook({ ...named, webhook: choose(named.webhook) })))
  return {
    title,
    introductions: introductions.map(({ title, paragraphs }) => ({ title, paragraphs: [...paragraphs] })),
    errorExample,
    sections: documented.map(({ section }) => section),
    ...(webhooks.length > 0 && { webhooks }),
  }
}
