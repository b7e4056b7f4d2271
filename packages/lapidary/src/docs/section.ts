/** What documentation says of one endpoint or mount. */

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

// What documentation says of one capture, query parameter or header.

/** One name and what stands under it. Plain data. */
export interface Field {
  name: string
  /** What its codec calls itself: `integer`, `list of text`, `flag`. */
  type: string
  /** Whether it is always there. */
  required: boolean
  /** Whether the name may stand there more than once. */
  repeats: boolean
  /** Values as they are written; all of them where they are few and known. */
  examples: string[]
  /** Empty where there is none. */
  description: string
}

/** The values that a codec allows, where it names them; of a list, those of its items. */
function getAllowedValues({ jsonSchema }: AnyParameter): readonly unknown[] | undefined {
  const { items } = jsonSchema
  return getTypes(jsonSchema).includes('array') && typeof items === 'object' ? items.enum : jsonSchema.enum
}

/** The field of a parameter; its examples are the values of `shown`, where there are some. */
export function documentParameter(name: string, parameter: AnyParameter, shown: readonly string[] = []): Field {
  const examples = shown.length > 0 ? shown : (getAllowedValues(parameter)?.map(String) ?? parameter.examples)
  return {
    name,
    type: parameter.name,
    required: parameter.required,
    repeats: parameter.repeats,
    // A flag is written as its name alone: there is no value to show.
    examples: examples.filter((example) => example !== ''),
    description: parameter.description ?? '',
  }
}

/** The fields of a record of parameters, in its order. */
export const documentParameters = (parameters: Readonly<Record<string, AnyParameter>>): Field[] =>
  Object.entries(parameters).map(([name, parameter]) => documentParameter(name, parameter))

/** The fields of headers that always have the same value. */
export const documentConstants = (headers: Readonly<Record<string, string>>): Field[] =>
  Object.entries(headers).map(([name, value]) => documentParameter(name, text, [value]))

// What documentation says of one answer: that of success, a declared error, or a refusal of the toolkit.

/** One answer. Plain data. */
export interface DocumentedResponse {
  status: number
  /** The reason phrase: `OK`, `Not Found`. */
  reason: string
  /** Empty where there is none. */
  description: string
  headers: Field[]
  /** Whether the body is problem details (RFC 9457), as that of an error is which declares no other. */
  problem: boolean
  /** Empty where there is no body, or where it is problem details. */
  encodings: Encoding[]
}

/** The answer that a reply declares, with an example where one is given; `place` opens the complaint about an example that does not fit. */
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

/** The answer that a declared error is. */
export const documentError = async (reply: Reply<unknown, unknown>, place: string): Promise<DocumentedResponse> => ({
  ...(await documentResponse(reply, undefined, place)),
  problem: reply.content === undefined && !isNullBodyStatus(reply.status),
})

/** The answer by which the toolkit refuses a request to this endpoint. */
export function documentBuiltInError({ status, description, headers }: RequestStep, endpoint: AnyEndpoint): DocumentedResponse {
  const fields = documentConstants(headers(endpoint))
  return {
    status,
    reason: getReasonPhrase(status),
    description,
    // Of several headers, a refusal carries one.
    headers: fields.map((field) => ({ ...field, required: fields.length === 1 })),
    problem: true,
    encodings: [],
  }
}

// What documentation says of an auth scheme: how to show who one is.

/** How to show who one is. Plain data. */
export interface Security {
  /** The name of the auth scheme. */
  name: string
  /** The first word of the challenge: `Basic`, `Bearer`. */
  scheme: string
  /** Empty where the challenge has none. */
  realm: string
  /** How credentials are written; empty where the scheme does not say. */
  description: string
  /** Request headers with somebody's credentials; none where the scheme shows no example. */
  headers: Record<string, string>
}

const realmPattern = /\brealm="((?:[^"\\]|\\.)*)"/i

/** What is said of a scheme. */
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

/** One endpoint or mount. Plain data; texts are empty and lists have no items where there is nothing to say. */
export interface Section {
  /** The keys that lead to it in the API: `products.list`. */
  name: string
  /** null: any method, and everything under `path`. */
  method: string | null
  /** With its captures: `/users/:id`. */
  path: string
  summary: string
  description: string
  /** null: open to all. */
  auth: Security | null
  captures: Field[]
  query: Field[]
  headers: Field[]
  /** The encodings of the request's body. */
  request: Encoding[]
  /** null: whatever the handler of the mount answers. */
  response: DocumentedResponse | null
  /** The errors that the endpoint declares. */
  errors: DocumentedResponse[]
  /** How the toolkit refuses requests that never reach the handler, and answers for one that fails: by ascending status, one for each. */
  builtInErrors: DocumentedResponse[]
  /** The headers of every answer, errors and refusals too. */
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

/** The section of one leaf of an API. @throws TypeError when an example does not fit its description. */
export const documentOperation = async ({ name, operation }: NamedOperation): Promise<Section> =>
  operation['~kind'] === 'mount' ? documentMount(name, operation) : documentEndpoint(name, operation)
