/** What documentation says of one endpoint or mount. */
import type { Walked } from '../describe/api.ts'
import type { Auth } from '../describe/auth.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Mount } from '../describe/mount.ts'
import { type Encoding, encodingsOf } from '../examples/encoding.ts'
import { type Answer, answerOf } from './answer.ts'
import { type Field, fieldsOf } from './field.ts'

/** How to show who one is. Plain data. */
export interface Protection {
  /** The name of the auth scheme. */
  name: string
  /** The first word of the challenge: `Basic`, `Bearer`. */
  scheme: string
  /** Empty where the challenge has none. */
  realm: string
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
  auth: Protection | null
  captures: Field[]
  query: Field[]
  headers: Field[]
  /** The encodings of the request's body. */
  request: Encoding[]
  /** null: whatever the handler of the mount answers. */
  response: Answer | null
  errors: Answer[]
}

const realmForm = /\brealm="((?:[^"\\]|\\.)*)"/i

function protectionOf({ name, challenge }: Auth<unknown, unknown>): Protection {
  const [scheme = ''] = challenge.split(' ', 1)
  const [, realm = ''] = realmForm.exec(challenge) ?? []
  return { name, scheme, realm: realm.replace(/\\(.)/g, '$1') }
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
    response: await answerOf(endpoint.response, examples.response, endpoint.always, `${route}, response`),
    errors: await Promise.all(
      endpoint.errors.map((error) => answerOf(error, undefined, endpoint.always, `${route}, error ${error.status}`)),
    ),
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
})

/** The section of one leaf of an API. @throws TypeError when an example does not fit its description. */
export const sectionOf = async ({ name, operation }: Walked): Promise<Section> =>
  operation['~kind'] === 'mount' ? mountSection(name, operation) : endpointSection(name, operation)
