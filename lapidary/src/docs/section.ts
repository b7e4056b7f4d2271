/** What documentation says of one endpoint or mount. */
import type { Walked } from '../describe/api.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Mount } from '../describe/mount.ts'
import { refusalsOf } from '../describe/steps.ts'
import { type Encoding, encodingsOf } from '../examples/encoding.ts'
import { type Answer, answerOf, errorOf, refusalOf } from './answer.ts'
import { constantsOf, type Field, fieldsOf } from './field.ts'
import { type Protection, protectionOf } from './protection.ts'

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
  auth: Protection | null
  captures: Field[]
  query: Field[]
  headers: Field[]
  /** The encodings of the request's body. */
  request: Encoding[]
  /** null: whatever the handler of the mount answers. */
  response: Answer | null
  /** The errors that the endpoint declares. */
  errors: Answer[]
  /** How the toolkit refuses requests that never reach the handler, and answers for one that fails: by ascending status, one for each. */
  refusals: Answer[]
  /** The headers of every answer, errors and refusals too. */
  always: Field[]
}

async function endpointSection(name: string, endpoint: AnyEndpoint): Promise<Section> {
  const { route, method, examples } = endpoint
  return {
    name,
    method,
    path: route.slice(method.length + 1),
    summary: endpoint.summary ?? '',
    description: endpoint.description ?? '',
    auth: endpoint.auth === undefined ? null : protectionOf(endpoint.auth),
    captures: fieldsOf(endpoint.params),
    query: fieldsOf(endpoint.query),
    headers: fieldsOf(endpoint.headers),
    request: await encodingsOf(endpoint.body, examples.body, `${route}, request`),
    response: await answerOf(endpoint.response, examples.response, `${route}, response`),
    errors: await Promise.all(endpoint.errors.map((error) => errorOf(error, `${route}, error ${error.status}`))),
    refusals: refusalsOf(endpoint).map((step) => refusalOf(step, endpoint)),
    always: constantsOf(endpoint.always),
  }
}

const mountSection = (name: string, { prefix, description = '' }: Mount): Section => ({
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
  refusals: [],
  always: [],
})

/** The section of one leaf of an API. @throws TypeError when an example does not fit its description. */
export const sectionOf = async ({ name, operation }: Walked): Promise<Section> =>
  operation['~kind'] === 'mount' ? mountSection(name, operation) : endpointSection(name, operation)
