/** `documentedRequests(section)`: the requests that a documentation shows, derived from nothing else. */
import type { Example } from '../contract/exampleBody.ts'
import { joinTexts } from '../contract/parameters/parameter.ts'
import { formatCookiePair } from '../http/cookies.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import { fillPath, parsePath } from '../http/route.ts'
import type { Field } from './field.ts'
import type { Section } from './section.ts'

/** A request of the documentation. Plain data. */
export interface DocumentedRequest {
  method: string
  /** The path and the query: `/hello?name=Alp`. */
  target: string
  /** With the invented credentials of the documentation. */
  headers: Record<string, string>
  /** Null: no body. */
  body: Example | null
}

/** Returns the texts of a field. None: the request leaves it out. */
type ChooseValues = (field: Field) => readonly string[]

interface ExampleBody {
  readonly headers: Readonly<Record<string, string>>
  readonly example: Example | null
}

/** A field shows no empty text, so that a required one without examples has it. */
const chooseRequired: ChooseValues = ({ required, examples: [first = ''] }) => (required ? [first] : [])

/**
 * The choices of texts for a field: all examples at once where it can have several values, else one after the other. A flag has no text.
 */
function listValueChoices({ examples, repeats }: Field): readonly (readonly string[])[] {
  if (examples.length === 0) return [['']]
  return repeats ? [examples] : examples.map((example) => [example])
}

/** Each example of the body in each of its types; one without content where the endpoint takes none, or need not. */
const listExampleBodies = ({ request, requestOptional }: Section): readonly ExampleBody[] => [
  ...listEncodedBodies(request),
  ...(request.length === 0 || requestOptional ? [{ headers: {}, example: null }] : []),
]

const listEncodedBodies = (request: Section['request']): readonly ExampleBody[] =>
  request.flatMap(({ types, examples }) =>
    examples.flatMap(({ language, text, base64 }) =>
      types.map((type): ExampleBody => ({ headers: { 'Content-Type': type }, example: { language, text, base64 } })),
    ),
  )

/** Invented credentials of the first alternative. */
function getExampleCredentials({
  auth,
}: Section): Pick<DocumentedRequest, 'headers'> & { readonly query: Readonly<Record<string, string>> } {
  const [all = []] = auth?.alternatives ?? []
  const cookies = all.flatMap(({ headers }) => headers['Cookie'] ?? [])
  const headers = Object.assign({}, ...all.map((security) => security.headers), cookies.length === 0 ? {} : { Cookie: cookies.join('; ') })
  return { headers, query: Object.assign({}, ...all.map((security) => security.query)) }
}

function buildExampleTarget(section: Section, chooseValues: ChooseValues): string {
  const { path, captures, query } = section
  const textOf = (name: string): string => captures.filter((field) => field.name === name).flatMap(chooseValues)[0] ?? ''
  const pairs = query.flatMap((field) =>
    joinTexts(chooseValues(field), field.delimiter).map((text) => {
      // A flag is its name alone, which any other parameter rejects.
      return text === '' && field.type === 'flag' ? percentEncode(field.name) : `${percentEncode(field.name)}=${percentEncode(text)}`
    }),
  )
  for (const [name, value] of Object.entries(getExampleCredentials(section).query))
    pairs.push(`${percentEncode(name)}=${percentEncode(value)}`)
  return `${fillPath(parsePath(path) ?? [], textOf)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

const buildExampleHeaders = ({ headers }: Section, chooseValues: ChooseValues): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.flatMap((field) => {
      const texts = chooseValues(field)
      return texts.length === 0 ? [] : [[field.name, texts.join(',')]]
    }),
  )

/** @param credentials the cookies of the auth scheme. */
function buildExampleCookies(
  { cookies }: Section,
  chooseValues: ChooseValues,
  credentials: string | undefined,
): Readonly<Record<string, string>> {
  const pairs = cookies.flatMap((field) => chooseValues(field).map((text) => formatCookiePair(field.name, text)))
  return pairs.length === 0 ? {} : { Cookie: [...(credentials === undefined ? [] : [credentials]), ...pairs].join('; ') }
}

/** Equal examples, and parameters that require each other, give one request several times. */
const removeDuplicates = (requests: readonly DocumentedRequest[]): DocumentedRequest[] => [
  ...new Map(requests.map((request) => [JSON.stringify(request), request])).values(),
]

/**
 * Lists the requests of a section, each once: one with all required parts for each example of the body in each of its types, then one for
 * each other example of a capture, a query parameter, a header or a cookie. A mount has no requests, and an endpoint has none if its body
 * has no example.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { documentedRequests, outline } from 'lapidary/docs'
 *
 * const { sections } = await outline({ hello: endpoint('GET /hello', { query: { name: text }, response: ok(text) }) })
 * for (const { method, target } of sections.flatMap(documentedRequests)) console.log(method, target)
 * ```
 */
export function documentedRequests(section: Section): DocumentedRequest[] {
  const { method, captures, query, headers, cookies } = section
  const credentials = getExampleCredentials(section).headers
  const bodies = listExampleBodies(section)
  const [first] = bodies
  if (method === null || first === undefined) return []
  const createRequest = (chooseValues: ChooseValues, body: ExampleBody): DocumentedRequest => ({
    method,
    target: buildExampleTarget(section, chooseValues),
    headers: {
      ...credentials,
      ...buildExampleHeaders(section, chooseValues),
      ...buildExampleCookies(section, chooseValues, credentials['Cookie']),
      ...body.headers,
    },
    body: body.example,
  })
  const others = [...captures, ...query, ...headers, ...cookies].flatMap((field) =>
    listValueChoices(field)
      .slice(chooseRequired(field).length)
      .map(
        (texts): ChooseValues =>
          (one) =>
            one === field ? texts : field.requires?.includes(one.name) ? one.examples.slice(0, 1) : chooseRequired(one),
      ),
  )
  return removeDuplicates([
    ...bodies.map((body) => createRequest(chooseRequired, body)),
    ...others.map((chooseValues) => createRequest(chooseValues, first)),
  ])
}
