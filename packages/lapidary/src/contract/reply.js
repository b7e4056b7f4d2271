/** Replies: a status, a body and headers that an endpoint declares; for its success and for its errors alike. */
import { isNullBodyStatus } from '../http/status.js'
import * as complaint from '../messages/developerErrors.js'
import { toContent } from './media/content.js'
/** What a handler returns when its reply declares headers: `withHeaders(users, { 'User-Count': 3 })`. */
export const withHeaders = (body, headers) => ({ body, headers })
// biome-ignore lint/suspicious/noExplicitAny: the signatures below say what it replies with
function createReply(status, body, options = {}) {
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new TypeError(complaint.invalidStatus(status))
  if (body !== undefined && isNullBodyStatus(status)) throw new TypeError(complaint.bodyNotAllowed(status))
  return Object.freeze({
    status,
    content: body === undefined ? undefined : toContent(body),
    headers: Object.freeze({ ...options.headers }),
    description: options.description,
  })
}
export function reply(status, body, options) {
  return createReply(status, body, options)
}
export function ok(body, options) {
  return createReply(200, body, options)
}
export function created(first, options) {
  return options === undefined ? createReply(201, undefined, first) : createReply(201, first, options)
}
/** 206, the part of a collection that a Range asked for; `Content-Range` and its like among the headers. */
export function partialContent(body, options) {
  return createReply(206, body, options)
}
/** 204: done, and nothing to say. */
export const noContent = createReply(204, undefined)
