/** The documentation of one endpoint or mount, as plain data. */
import { isMount, type Mount, type NamedOperation } from '../contract/api.ts'
import { isAuthOptional, listCredentialAlternatives } from '../contract/auth/alternatives.ts'
import type { AuthAlternatives, AuthRequirement } from '../contract/auth/authScheme.ts'
import { type BuiltInError, getBuiltInErrors, getVaryingHeaders } from '../contract/builtInErrors.ts'
import { hasConventions } from '../contract/conventions.ts'
import type { Deprecation } from '../contract/deprecation.ts'
import { describeEndpoint } from '../contract/download.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { createEncodings, type Encoding } from '../contract/exampleBody.ts'
import { listBodyExamples, listResponseExamples, type ResponseExample } from '../contract/exampleValues.ts'
import { getMediaHeaders } from '../contract/media/mediaType.ts'
import type { Reply, StatusRange } from '../contract/reply.ts'
import type { AnyWebhook } from '../contract/webhook.ts'
import { getRestName } from '../http/route.ts'
import { getReasonPhrase, isNullBodyStatus } from '../http/status.ts'
import { rangeText, restText } from '../messages/documentationTexts.ts'
import { documentConstants, documentParameter, documentParameters, documentQuery, type Field } from './field.ts'

// Bodies and responses

/** The encodings of a body as the description has them: another server need not know the charset, or frame items as the toolkit does. */
export function selectEncodings(encodings: Encoding[], part: AnyEndpoint | AnyWebhook): Encoding[] {
  if (hasConventions(part)) return encodings
  return encodings.map(({ types, examples }) => {
    const bare = types.filter((type) => !type.includes(';'))
    return { types: bare.length > 0 ? bare : types, framing: '', examples }
  })
}

/** The documentation of a response. Plain data. */
export interface DocumentedResponse {
  status: number
  /** Absent where it has one status: `4XX`, `5XX` or `default`. */
  range?: StatusRange
  /** The reason phrase: `OK`, `Not Found`; of a range, what it is. */
  reason: string
  /** Empty where there is none. */
  description: string
  headers: Field[]
  /** Whether the body is problem details (RFC 9457): the body of an error that declares no other. */
  problem: boolean
  /** Empty for a response without a body, and for problem details. */
  encodings: Encoding[]
}

/**
 * @param examples the default is a value that the schema allows.
 * @param place begins the message for an invalid example.
 */
async function documentResponse(
  reply: Reply<unknown, unknown>,
  examples: readonly ResponseExample[],
  place: string,
  endpoint: AnyEndpoint,
): Promise<DocumentedResponse> {
  const { headers = {} } = examples[0] ?? {}
  const media = reply.content?.media ?? []
  const declared = [...Object.keys(reply.headers), ...Object.keys(endpoint.responseHeaders)]
  const mediaHeaders = hasConventions(endpoint) ? documentConstants(getMediaHeaders(media, declared)) : []
  return {
    status: reply.status,
    ...(reply.range !== undefined && { range: reply.range }),
    reason: reply.range === undefined ? getReasonPhrase(reply.status) : rangeText(reply.range),
    description: reply.description ?? '',
    headers: [
      ...Object.entries(reply.headers).map(([name, parameter]) =>
        documentParameter(name, parameter, headers[name] === undefined ? [] : parameter.write(headers[name])),
      ),
      ...mediaHeaders.map((field) => ({ ...field, required: media.length === 1 })),
    ],
    problem: false,
    encodings: selectEncodings(await createEncodings(reply.content, examples, 'response', place), endpoint),
  }
}

const documentError = async (reply: Reply<unknown, unknown>, place: string, endpoint: AnyEndpoint): Promise<DocumentedResponse> => ({
  ...(await documentResponse(reply, [], place, endpoint)),
  problem: reply.content === undefined && !isNullBodyStatus(reply.status) && hasConventions(endpoint),
})

/** An error that the toolkit sends in place of a handler's response. */
function documentBuiltInError({ status, description, headers }: BuiltInError, endpoint: AnyEndpoint): DocumentedResponse {
  const fields = documentConstants(headers(endpoint))
  return {
    status,
    reason: getReasonPhrase(status),
    description: description(endpoint),
    // Of several headers, a response has one.
    headers: fields.map((field) => ({ ...field, required: fields.length === 1 })),
    problem: true,
    encodings: [],
  }
}

// Auth schemes

/** The documentation of an auth scheme. Plain data. */
export interface Security {
  /** The name of the auth scheme. */
  name: string
  /** The first word of the challenge: `Basic`, `Bearer`. */
  scheme: string
  /** Empty where the challenge has none. */
  realm: string
  /** How credentials are written; empty where the scheme does not describe it. */
  description: string
  /** The scopes that the user needs. */
  scopes: string[]
  /** Request headers with invented credentials; none where the scheme has no example. */
  headers: Record<string, string>
  /** Query parameters with invented credentials. */
  query: Record<string, string>
}

const realmPattern = /\brealm="((?:[^"\\]|\\.)*)"/i

function documentSecurity({ scheme: { name, challenge, description = '', headers, query, example }, scopes }: AuthRequirement): Security {
  const [scheme = ''] = challenge.split(' ', 1)
  const [, realm = ''] = realmPattern.exec(challenge) ?? []
  return {
    name,
    scheme,
    realm: realm.replace(/\\(.)/g, '$1'),
    description,
    scopes: [...scopes],
    headers: example === undefined ? {} : { ...headers?.(example) },
    query: example === undefined ? {} : { ...query?.(example) },
  }
}

/** The documentation of who may call an endpoint. Plain data. */
export interface DocumentedAuth {
  /** Whether a request without credentials is served. */
  optional: boolean
  /** Whether wrong credentials count as none; absent where they get 401, or the description does not tell. */
  ignoresInvalid?: true
  /** The alternatives: a request needs all schemes of one of them. */
  alternatives: Security[][]
}

const documentAuth = (alternatives: AuthAlternatives, { invalidCredentials }: AnyEndpoint): DocumentedAuth => ({
  optional: isAuthOptional(alternatives),
  ...(invalidCredentials === 'ignore' && { ignoresInvalid: true }),
  alternatives: listCredentialAlternatives(alternatives).map((requirements) => requirements.map(documentSecurity)),
})

// Deprecation

/** The documentation of a deprecated endpoint. Plain data; null where there is none. */
interface DocumentedDeprecation {
  /** The date, or the date and time, in ISO 8601. */
  since: string | null
  /** The date, or the date and time, in ISO 8601. */
  sunset: string | null
  /** The URL of a page about it. */
  link: string | null
}

/** A midnight stands for its day. */
const formatDate = (date: Date | undefined): string | null =>
  date
    ?.toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace('T00:00:00Z', '') ?? null

function documentDeprecation({ deprecated }: AnyEndpoint): DocumentedDeprecation | null {
  if (deprecated === undefined) return null
  const { since, sunset, link }: Deprecation = deprecated === true ? {} : deprecated
  return { since: formatDate(since), sunset: formatDate(sunset), link: link ?? null }
}

// Operations

/** The documentation of an endpoint or a mount. Plain data; a text or a list without content is empty. */
export interface Section {
  /** The keys that lead to it, joined by dots: `products.list`. */
  name: string
  /** Null for a mount: any method, and all paths below `path`. */
  method: string | null
  /** The path with its captures: `/users/:id`. */
  path: string
  summary: string
  description: string
  /** Null: it is not deprecated. */
  deprecated: DocumentedDeprecation | null
  /** Null: no credentials are needed. */
  auth: DocumentedAuth | null
  captures: Field[]
  query: Field[]
  headers: Field[]
  cookies: Field[]
  /** The encodings of the request body. */
  request: Encoding[]
  /** Whether a request can leave its body out; absent where it cannot. */
  requestOptional?: true
  /** The responses of success, the usual one first; none for a mount, whose handler decides. */
  responses: DocumentedResponse[]
  /** The declared errors. */
  errors: DocumentedResponse[]
  /** The errors that the toolkit sends before or after the handler, by ascending status, one for each. */
  builtInErrors: DocumentedResponse[]
  /** The headers of every response, errors included. */
  responseHeaders: Field[]
  /** False where the conventions of the toolkit do not hold: it is of a document of another program. Absent where they do. */
  conventions?: false
}

async function documentEndpoint(name: string, endpoint: AnyEndpoint): Promise<Section> {
  const { route, method } = endpoint
  return {
    name,
    method,
    path: route.slice(method.length + 1),
    summary: endpoint.summary ?? '',
    description: endpoint.description ?? '',
    deprecated: documentDeprecation(endpoint),
    auth: endpoint.auth === undefined ? null : documentAuth(endpoint.auth, endpoint),
    captures: documentParameters(endpoint.params).map((field) =>
      field.name === getRestName(endpoint.segments) ? { ...field, description: restText(field.description) } : field,
    ),
    query: documentQuery(endpoint),
    headers: documentParameters(endpoint.headers),
    cookies: documentParameters(endpoint.cookies),
    request: selectEncodings(await createEncodings(endpoint.body, listBodyExamples(endpoint), 'request', `${route}, request`), endpoint),
    ...(endpoint.body?.isOptional && { requestOptional: true }),
    responses: await Promise.all(
      endpoint.responses.map((reply) =>
        documentResponse(reply, listResponseExamples(endpoint, reply, `${route}, response`), `${route}, response`, endpoint),
      ),
    ),
    errors: await Promise.all(endpoint.errors.map((error) => documentError(error, `${route}, error ${error.status}`, endpoint))),
    builtInErrors: getBuiltInErrors(endpoint).map((step) => documentBuiltInError(step, endpoint)),
    responseHeaders: hasConventions(endpoint) ? documentConstants({ ...endpoint.responseHeaders, ...getVaryingHeaders(endpoint) }) : [],
    ...(!hasConventions(endpoint) && { conventions: false }),
  }
}

const documentMount = (name: string, { prefix, description = '' }: Mount): Section => ({
  name,
  method: null,
  path: prefix,
  summary: '',
  description,
  deprecated: null,
  auth: null,
  captures: [],
  query: [],
  headers: [],
  cookies: [],
  request: [],
  responses: [],
  errors: [],
  builtInErrors: [],
  responseHeaders: [],
})

/**
 * The section of an operation.
 *
 * @throws TypeError for an example that its schema does not allow.
 */
export const documentOperation = async ({ name, operation }: NamedOperation): Promise<Section> =>
  isMount(operation) ? documentMount(name, operation) : documentEndpoint(name, describeEndpoint(operation))
