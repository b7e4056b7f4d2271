/** The documentation of one endpoint or mount, as plain data. */

import type { Mount, NamedOperation } from '../contract/api.ts'
import type { AuthScheme } from '../contract/auth.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { createEncodings, type Encoding, splitExample } from '../contract/exampleBody.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import { text } from '../contract/parameters/text.ts'
import type { Reply } from '../contract/reply.ts'
import { getBuiltInErrors, type RequestStep } from '../contract/steps.ts'
import { getReasonPhrase, isNullBodyStatus } from '../http/status.ts'
import { getTypes } from '../json-schema/jsonSchema.ts'

// Parameters and headers

/** The documentation of a capture, a query parameter or a header. Plain data. */
export interface Field {
  name: string
  /** The name of its codec: `integer`, `list of text`, `flag`. */
  type: string
  /** Whether it is always present. */
  required: boolean
  /** Whether it can have several values. */
  repeats: boolean
  /** Texts of values; all of them where the codec names them. */
  examples: string[]
  /** Empty where there is none. */
  description: string
}

/** The values of an enumeration; of a list, those of its items. */
function getAllowedValues({ jsonSchema }: AnyParameter): readonly unknown[] | undefined {
  const { items } = jsonSchema
  return getTypes(jsonSchema).includes('array') && typeof items === 'object' ? items.enum : jsonSchema.enum
}

/** @param texts Examples that take precedence over those of the parameter. */
export function documentParameter(name: string, parameter: AnyParameter, texts: readonly string[] = []): Field {
  const examples = texts.length > 0 ? texts : (getAllowedValues(parameter)?.map(String) ?? parameter.examples)
  return {
    name,
    type: parameter.name,
    required: parameter.required,
    repeats: parameter.repeats,
    // A flag has no value to show.
    examples: examples.filter((example) => example !== ''),
    description: parameter.description ?? '',
  }
}

export const documentParameters = (parameters: Readonly<Record<string, AnyParameter>>): Field[] =>
  Object.entries(parameters).map(([name, parameter]) => documentParameter(name, parameter))

/** Headers with constant values. */
export const documentConstants = (headers: Readonly<Record<string, string>>): Field[] =>
  Object.entries(headers).map(([name, value]) => documentParameter(name, text, [value]))

// Responses

/** The documentation of a response. Plain data. */
export interface DocumentedResponse {
  status: number
  /** The reason phrase: `OK`, `Not Found`. */
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
 * @param example The default is a value that the schema allows.
 * @param place Begins the message for an invalid example.
 */
export async function documentResponse(reply: Reply<unknown, unknown>, example: unknown, place: string): Promise<DocumentedResponse> {
  const { body, headers } = splitExample(reply, example, place)
  return {
    status: reply.status,
    reason: getReasonPhrase(reply.status),
    description: reply.description ?? '',
    headers: Object.entries(reply.headers).map(([name, parameter]) =>
      documentParameter(name, parameter, headers[name] === undefined ? [] : parameter.write(headers[name])),
    ),
    problem: false,
    encodings: await createEncodings(reply.content, body, place),
  }
}

export const documentError = async (reply: Reply<unknown, unknown>, place: string): Promise<DocumentedResponse> => ({
  ...(await documentResponse(reply, undefined, place)),
  problem: reply.content === undefined && !isNullBodyStatus(reply.status),
})

/** An error that the toolkit sends in place of a handler's response. */
export function documentBuiltInError({ status, description, headers }: RequestStep, endpoint: AnyEndpoint): DocumentedResponse {
  const fields = documentConstants(headers(endpoint))
  return {
    status,
    reason: getReasonPhrase(status),
    description,
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
  /** Request headers with invented credentials; none where the scheme has no example. */
  headers: Record<string, string>
}

const realmPattern = /\brealm="((?:[^"\\]|\\.)*)"/i

export function documentSecurity({ name, challenge, description = '', headers, example }: AuthScheme<unknown, unknown>): Security {
  const [scheme = ''] = challenge.split(' ', 1)
  const [, realm = ''] = realmPattern.exec(challenge) ?? []
  return {
    name,
    scheme,
    realm: realm.replace(/\\(.)/g, '$1'),
    description,
    headers: example === undefined ? {} : { ...headers?.(example) },
  }
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
  /** Null: no credentials are needed. */
  auth: Security | null
  captures: Field[]
  query: Field[]
  headers: Field[]
  /** The encodings of the request body. */
  request: Encoding[]
  /** Null for a mount, whose handler decides. */
  response: DocumentedResponse | null
  /** The declared errors. */
  errors: DocumentedResponse[]
  /** The errors that the toolkit sends before or after the handler, by ascending status, one for each. */
  builtInErrors: DocumentedResponse[]
  /** The headers of every response, errors included. */
  responseHeaders: Field[]
}

async function documentEndpoint(name: string, endpoint: AnyEndpoint): Promise<Section> {
  const { route, method, examples } = endpoint
  return {
    name,
    method,
    path: route.slice(method.length + 1),
    summary: endpoint.summary ?? '',
    description: endpoint.description ?? '',
    auth: endpoint.auth === undefined ? null : documentSecurity(endpoint.auth),
    captures: documentParameters(endpoint.params),
    query: documentParameters(endpoint.query),
    headers: documentParameters(endpoint.headers),
    request: await createEncodings(endpoint.body, examples.body, `${route}, request`),
    response: await documentResponse(endpoint.response, examples.response, `${route}, response`),
    errors: await Promise.all(endpoint.errors.map((error) => documentError(error, `${route}, error ${error.status}`))),
    builtInErrors: getBuiltInErrors(endpoint).map((step) => documentBuiltInError(step, endpoint)),
    responseHeaders: documentConstants(endpoint.responseHeaders),
  }
}

const documentMount = (name: string, { prefix, description = '' }: Mount): Section => ({
  name,
  method: null,
  path: prefix,
  summary: '',
  description,
  auth: null,
  captures: [],
  query: [],
  headers: [],
  request: [],
  response: null,
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
  operation['~kind'] === 'mount' ? documentMount(name, operation) : documentEndpoint(name, operation)
