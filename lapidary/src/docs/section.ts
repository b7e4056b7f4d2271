/** What documentation says of one endpoint or mount. */
import type { NamedOperation } from '../describe/api.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Mount } from '../describe/mount.ts'
import { getBuiltInErrors } from '../describe/steps.ts'
import { createEncodings, type Encoding } from '../examples/encoding.ts'
import { type DocumentedResponse, documentBuiltInError, documentError, documentResponse } from './answer.ts'
import { documentConstants, documentParameters, type Field } from './field.ts'
import { documentSecurity, type Security } from './protection.ts'

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
