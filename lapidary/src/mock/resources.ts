/** Single resources: what a `PUT` put at the path of a `GET` is there, and what a `DELETE` removed is not. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { mockDetail } from '../describe/message.ts'
import { withHeaders } from '../describe/reply.ts'
import { getPathShape } from '../describe/route.ts'
import { getJsonSchema } from '../describe/schema.ts'
import { toKey } from './draw.ts'
import type { AnyMockHandler } from './handle.ts'
import { createDeclaredError } from './raising.ts'
import { getSentBody } from './sent.ts'
import type { MockEndpoint } from './shapes.ts'
import { getHandlerReply } from './success.ts'

/** What happened at a path: something was put there, or it was removed. */
type ResourceState = { readonly value: unknown } | 'removed'

/** A resource: its `GET`, and what changes it. */
export interface SingleResource {
  readonly get: MockEndpoint
  readonly put: MockEndpoint | undefined
  readonly remove: MockEndpoint | undefined
}

/** Whether what a change is sent is what its GET answers: the same form, or the same medium. */
function storesGetBody({ body, response: done }: AnyEndpoint, { response: { content } }: AnyEndpoint): boolean {
  if (body === undefined || content === undefined || done.content !== undefined || Object.keys(done.headers).length > 0) return false
  if (body.schema === undefined || content.schema === undefined) return body.schema === content.schema && body.media[0] === content.media[0]
  return JSON.stringify(getJsonSchema(body.schema)) === JSON.stringify(getJsonSchema(content.schema))
}

/** The resources among these endpoints. Their changes answer without a body. */
export function detectResources(all: readonly MockEndpoint[]): readonly SingleResource[] {
  const at = (method: string, { endpoint: { segments } }: MockEndpoint): MockEndpoint | undefined =>
    all.find(({ endpoint }) => endpoint.method === method && getPathShape(endpoint.segments) === getPathShape(segments))
  return all
    .filter(({ endpoint: { method } }) => method === 'GET')
    .flatMap((get): readonly SingleResource[] => {
      const [put, remove] = [at('PUT', get), at('DELETE', get)]
      const isSame = put !== undefined && storesGetBody(put.endpoint, get.endpoint)
      const isBare = remove?.endpoint.response.content === undefined && Object.keys(remove?.endpoint.response.headers ?? {}).length === 0
      const resource = { get, put: isSame ? put : undefined, remove: isBare ? remove : undefined }
      return resource.put === undefined && resource.remove === undefined ? [] : [resource]
    })
}

/** The handlers of a resource, by the names of its endpoints; `first` answers until something is put there. */
export function createResourceHandlers({ get, put, remove }: SingleResource, first: AnyMockHandler): ReadonlyMap<string, AnyMockHandler> {
  const states = new Map<string, ResourceState>()
  const handles = new Map<string, AnyMockHandler>()
  const isNotable = get.endpoint.errors.some(({ status }) => status === 404)
  const hasHeaders = Object.keys(getHandlerReply(get.endpoint).headers).length > 0
  const stateOf = (params: object): ResourceState | undefined => states.get(toKey(Object.values(params)))

  /** @throws HttpError 404 for what was removed. */
  function there(endpoint: AnyEndpoint, params: object): void {
    if (stateOf(params) === 'removed') throw createDeclaredError(endpoint, 404, { detail: mockDetail.removed() })
  }

  handles.set(get.name, (given, incoming) => {
    there(get.endpoint, given.params)
    const state = stateOf(given.params)
    if (state === undefined || state === 'removed') return first(given, incoming)
    if (!hasHeaders) return state.value
    return withHeaders(state.value, (first(given, incoming) as { readonly headers: unknown }).headers)
  })
  if (put !== undefined)
    handles.set(put.name, ({ params, body }) => void states.set(toKey(Object.values(params)), { value: getSentBody(put.endpoint, body) }))
  if (remove !== undefined)
    handles.set(remove.name, ({ params }) => {
      there(remove.endpoint, params)
      // A GET that is never 404 has something to answer, whatever was done: what was there first.
      if (isNotable) states.set(toKey(Object.values(params)), 'removed')
      else states.delete(toKey(Object.values(params)))
    })
  return handles
}
