/** Single resources: what a `PUT` put at the path of a `GET` is there, and what a `DELETE` removed is not. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { mocked } from '../describe/message.ts'
import { withHeaders } from '../describe/reply.ts'
import { shapeOf } from '../describe/route.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { wordOf } from './draw.ts'
import type { Handle } from './handle.ts'
import { declared } from './raising.ts'
import { sentTo } from './sent.ts'
import type { Named } from './shapes.ts'
import { replyOf } from './success.ts'

/** What happened at a path: something was put there, or it was removed. */
type State = { readonly value: unknown } | 'removed'

/** A resource: its `GET`, and what changes it. */
export interface Resource {
  readonly get: Named
  readonly put: Named | undefined
  readonly remove: Named | undefined
}

/** Whether what a change is sent is what its GET answers: the same form, or the same medium. */
function isPut({ body, response: done }: AnyEndpoint, { response: { content } }: AnyEndpoint): boolean {
  if (body === undefined || content === undefined || done.content !== undefined || Object.keys(done.headers).length > 0) return false
  if (body.schema === undefined || content.schema === undefined) return body.schema === content.schema && body.media[0] === content.media[0]
  return JSON.stringify(jsonSchemaOf(body.schema)) === JSON.stringify(jsonSchemaOf(content.schema))
}

/** The resources among these endpoints. Their changes answer without a body. */
export function resourcesIn(all: readonly Named[]): readonly Resource[] {
  const at = (method: string, { endpoint: { segments } }: Named): Named | undefined =>
    all.find(({ endpoint }) => endpoint.method === method && shapeOf(endpoint.segments) === shapeOf(segments))
  return all
    .filter(({ endpoint: { method } }) => method === 'GET')
    .flatMap((get): readonly Resource[] => {
      const [put, remove] = [at('PUT', get), at('DELETE', get)]
      const isSame = put !== undefined && isPut(put.endpoint, get.endpoint)
      const isBare = remove?.endpoint.response.content === undefined && Object.keys(remove?.endpoint.response.headers ?? {}).length === 0
      const resource = { get, put: isSame ? put : undefined, remove: isBare ? remove : undefined }
      return resource.put === undefined && resource.remove === undefined ? [] : [resource]
    })
}

/** The handlers of a resource, by the names of its endpoints; `first` answers until something is put there. */
export function resourceHandles({ get, put, remove }: Resource, first: Handle): ReadonlyMap<string, Handle> {
  const states = new Map<string, State>()
  const handles = new Map<string, Handle>()
  const isNotable = get.endpoint.errors.some(({ status }) => status === 404)
  const hasHeaders = Object.keys(replyOf(get.endpoint).headers).length > 0
  const stateOf = (params: object): State | undefined => states.get(wordOf(Object.values(params)))

  /** @throws HttpError 404 for what was removed. */
  function there(endpoint: AnyEndpoint, params: object): void {
    if (stateOf(params) === 'removed') throw declared(endpoint, 404, { detail: mocked.removed() })
  }

  handles.set(get.name, (given, incoming) => {
    there(get.endpoint, given.params)
    const state = stateOf(given.params)
    if (state === undefined || state === 'removed') return first(given, incoming)
    if (!hasHeaders) return state.value
    return withHeaders(state.value, (first(given, incoming) as { readonly headers: unknown }).headers)
  })
  if (put !== undefined)
    handles.set(put.name, ({ params, body }) => void states.set(wordOf(Object.values(params)), { value: sentTo(put.endpoint, body) }))
  if (remove !== undefined)
    handles.set(remove.name, ({ params }) => {
      there(remove.endpoint, params)
      // A GET that is never 404 has something to answer, whatever was done: what was there first.
      if (isNotable) states.set(wordOf(Object.values(params)), 'removed')
      else states.delete(wordOf(Object.values(params)))
    })
  return handles
}
