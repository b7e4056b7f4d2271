/** From what a caller gives to the request that is sent. */
import { getEssences } from '../contract/media/content.js'
import { collectBytes } from '../http/chunks.js'
import { joinHeaderValues } from '../http/headerFields.js'
import { getEssence } from '../http/mediaTypeParser.js'
import { getJsonSchema } from '../json-schema/standardSchema.js'
import { link } from '../links/link.js'
import * as complaint from '../messages/developerErrors.js'
import { cancelBody } from './response.js'

/** The types of the media that can be read, as an Accept header; undefined where there is no body. @throws TypeError when none can be. */
function getAcceptHeader({ route, response: { content } }) {
  if (content === undefined) return undefined
  const media = content.media.filter(({ reader, streamReader }) => reader !== undefined || streamReader !== undefined)
  if (media.length === 0) throw new TypeError(complaint.unreadableResponse(route))
  return getEssences({ media }).join(', ')
}
/** Compiles the writer of a request body; undefined where there is none. */
function createBodyWriter({ route, body: content }) {
  if (content === undefined) return undefined
  const form = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  const offers = content.media.flatMap(({ types, writer }) => {
    const write = writer(form)
    return types.map((type) => ({ type, write }))
  })
  return (value, asked) => {
    const offer = offers.find(({ type }) => asked === undefined || getEssence(type) === getEssence(asked))
    if (offer === undefined) throw new TypeError(complaint.unsupportedRequestType(route, asked ?? '', getEssences(content).join(', ')))
    return { type: offer.type, body: offer.write(value) }
  }
}
/** A body goes out whole, also where it was given one item after the other: then servers know its length, and every `fetch` can send it. */
const collectBody = (body = null) => (body === null || typeof body === 'string' || body instanceof Uint8Array ? body : collectBytes(body))
function writeRequestHeaders({ route, headers }, values) {
  const pairs = Object.entries(headers).flatMap(([name, parameter]) => {
    const texts = parameter.write(values[name])
    if (texts.length === 0) return []
    const text = joinHeaderValues(texts, parameter.repeats)
    if (text === undefined) throw new TypeError(complaint.invalidRequestHeader(route, name))
    return [[name, text]]
  })
  return Object.fromEntries(pairs)
}
/** Compiles the writer of an endpoint's requests. It throws a TypeError for what cannot be sent: nothing leaves. */
export function createRequestWriter(endpoint) {
  const { route, method } = endpoint
  const accept = getAcceptHeader(endpoint)
  const writeBody = createBodyWriter(endpoint)
  return async (input, contentType) => {
    try {
      const target = link(endpoint, input)
      const declared = writeRequestHeaders(endpoint, input.headers ?? {})
      const { type, body } = writeBody?.(input.body, contentType) ?? {}
      const headers = { ...(accept && { Accept: accept }), ...declared, ...(type && { 'Content-Type': type }) }
      return { method, target, headers, body: await collectBody(body) }
    } catch (error) {
      // A codec does not know whose value it has refused.
      if (!(error instanceof TypeError) || error.message.startsWith(route)) throw error
      throw new TypeError(complaint.invalidRequestValue(route, error.message), { cause: error })
    }
  }
}
/** The request of one call, for who makes no other. @throws TypeError for a value that cannot be sent. */
export const createCallRequest = async (endpoint, input) => createRequestWriter(endpoint)(input)
/** All of them, each name once, in whatever case it is written: what comes later wins. @throws TypeError for a value that cannot be sent. */
export function mergeHeaderRecords(route, ...records) {
  const merged = new Headers()
  for (const [name, value] of records.flatMap((record = {}) => Object.entries(record))) {
    if (joinHeaderValues([value], false) === undefined) throw new TypeError(complaint.invalidRequestHeader(route, name))
    merged.set(name, value)
  }
  return merged
}
// Where a server is.
/** The address that paths are put behind. @throws TypeError for what is no such address. It is not shown: a password does not belong into a log. */
export function parseBaseUrl(base) {
  const address = String(base).replace(/\/+$/, '')
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(address)) throw new TypeError(complaint.invalidClientBase())
  return address
}
/**
 * Ties a scheme to what a client shows for it: `credentials(people, { username: 'ann', password })`. A function is asked at each call, so that a
 * token may be renewed.
 *
 * @throws TypeError for a scheme that does not say how credentials are sent.
 */
export function credentials(scheme, shown) {
  const { headers } = scheme
  if (headers === undefined) throw new TypeError(complaint.authSchemeWithoutHeaders(scheme.name))
  // Credentials are data: a function stands for them.
  const ask = typeof shown === 'function' ? shown : () => shown
  return Object.freeze({ scheme, headers: async () => headers(await ask()) })
}
/** As many as `fetch` follows. */
const maxRedirects = 20
export const isRedirect = ({ status }) => /30[12378]/.test(`${status}`)
/** Sends it to `url`, and on within its origin, unless redirections are `declared`. The last answer may be a redirection. */
export async function fetchWithRedirects(fetch, url, { method, body, headers, signal }, declared) {
  // What is left may be seen by any server, but for Authorization: only of that does `fetch` know that it is not for everybody.
  const isOpen = body === null && [...headers.keys()].every((name) => /^a(ccept|uthorization)$/.test(name))
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(new Request(url, { method, body, headers, signal, redirect: declared || !isOpen ? 'manual' : 'follow' }))
    const location = response.headers.get('location') ?? ''
    if (declared || hops === maxRedirects || !isRedirect(response) || !URL.canParse(location, url)) return response
    const next = new URL(location, url)
    if (next.origin !== new URL(url).origin) return response
    cancelBody(response.body)
    url = next.href
    // As Fetch has it (§4.4).
    if (response.status === 303 || (response.status < 303 && method === 'POST')) {
      method = 'GET'
      body = null
      headers.delete('content-type')
    }
  }
}
