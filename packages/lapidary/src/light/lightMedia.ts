/** Bodies of the light client, each for one media type. */
import * as clientErrors from '../client/clientErrorMessages.ts'
import { UnexpectedResponseError } from '../client/errors.ts'
import { encodeMultipart } from '../contract/media/multipart.ts'
import { getEssence, isInMediaRange } from '../http/mediaTypes.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { RouteCodecs, RouteMedia } from './lightRoute.ts'

/**
 * JSON.
 *
 * @example
 * ```ts
 * import { json, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', responses: [[200, json]] }
 * ```
 */
export const lightJson: RouteMedia = {
  types: ['application/json'],
  sent: 'application/json;charset=utf-8',
  write: (value) => JSON.stringify(value),
  read: async ({ blob, call, response }) => {
    const text = await (await blob()).text()
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new UnexpectedResponseError(call, response, clientErrors.bodyNotJson(), { cause: error })
    }
  },
}

/**
 * No body.
 *
 * @example
 * ```ts
 * import { none, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'DELETE /stones/:id', responses: [[204, none]] }
 * ```
 */
export const lightNone: RouteMedia = {}

/**
 * A body that only the option `accept` reads, as its text.
 *
 * @example
 * ```ts
 * import { type Route, unreadable } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /page', responses: [[200, unreadable]] }
 * ```
 */
export const lightUnreadable: RouteMedia = { types: [] }

/**
 * Text.
 *
 * @example
 * ```ts
 * import { text, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /hello', responses: [[200, text]] }
 * ```
 */
export const lightText: RouteMedia = {
  types: ['text/plain'],
  sent: 'text/plain;charset=utf-8',
  // A reader of UTF-8 skips one byte order mark.
  write: (value: string) => value.replace(/^\ufeff/, '$&$&'),
  read: async ({ blob }) => (await blob()).text(),
}

/**
 * Bytes.
 *
 * @example
 * ```ts
 * import { bytes, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /photo', responses: [[200, bytes]] }
 * ```
 */
export const lightBytes: RouteMedia = {
  types: ['application/octet-stream'],
  sent: 'application/octet-stream',
  write: (value) => value,
  read: async ({ blob }) => new Uint8Array(await (await blob()).arrayBuffer()),
}

/**
 * A file, as a `Blob` of its own type.
 *
 * @example
 * ```ts
 * import { download, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /report', responses: [[200, download]] }
 * ```
 */
export const lightDownload: RouteMedia = {
  types: ['application/octet-stream'],
  // The header Range of a call asks for a part.
  partStatus: 206,
  read: async ({ blob, response }) => new Blob([await blob()], { type: response.headers.get('content-type') ?? '' }),
}

/** The values of a record or a `FormData`, name by name. */
const listEntries = (value: object): readonly (readonly [name: string, value: unknown])[] =>
  (value instanceof FormData ? [...value] : Object.entries(value)).flatMap(([name, member]) =>
    [member ?? []].flat().map((one) => [name, one] as const),
  )

/**
 * An HTML form without files.
 *
 * @example
 * ```ts
 * import { form, none, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /orders', body: form, responses: [[204, none]] }
 * ```
 */
export const lightForm: RouteMedia = {
  types: ['application/x-www-form-urlencoded'],
  sent: 'application/x-www-form-urlencoded',
  write: (value: object) =>
    new URLSearchParams(listEntries(value).map(([name, member]): [string, string] => [name, String(member)])).toString(),
}

/**
 * A form with files. Parts that are not declared are left out.
 *
 * @example
 * ```ts
 * import { multipart, none, plain, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /photos', body: multipart({ title: plain, photo: plain }), responses: [[204, none]] }
 * ```
 */
export const lightMultipart = (parts: RouteCodecs): RouteMedia => ({
  // A FormData would change the line ends of texts.
  write: (value: object) => {
    const given = listEntries(value)
    const entries = Object.entries(parts).flatMap(([name, { write = String }]) =>
      given
        .filter(([own]) => own === name)
        .flatMap(([, part]) => (part instanceof Blob ? part : write(part as never)))
        .map((part): [string, string | Blob] => [name, part]),
    )
    return encodeMultipart(entries)
  },
})

/**
 * The same body in other media types.
 *
 * @param sent the Content-Type of a request
 * @example
 * ```ts
 * import { json, typed, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /feed', responses: [[200, typed(json, ['application/feed+json'])]] }
 * ```
 */
export const lightTyped = (media: RouteMedia, types: readonly string[], sent?: string): RouteMedia => ({
  ...media,
  types,
  ...(sent && { sent }),
  isRead: (type) => types.some((range) => isInMediaRange(type, range)),
})

/**
 * A body that a request can leave out.
 *
 * @example
 * ```ts
 * import { json, none, optionalBody, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /cancel', body: optionalBody(json), responses: [[204, none]] }
 * ```
 */
export const lightOptionalBody = ({ write, select, ...media }: RouteMedia): RouteMedia => ({
  ...media,
  ...(select && { select: (type) => lightOptionalBody(select(type)) }),
  ...(write && { write: (value, call) => (value === undefined ? undefined : write(value, call)) }),
})

/**
 * A body in one of several media types, the preferred one first.
 *
 * @example
 * ```ts
 * import { anyOf, form, json, none, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /orders', body: anyOf(json, form), responses: [[204, none]] }
 * ```
 */
export function lightAnyOf(...media: readonly [RouteMedia, ...RouteMedia[]]): RouteMedia {
  const types = media.flatMap((one) => one.types ?? [])
  const find = (type: string): RouteMedia | undefined => media.find(({ types = [], isRead = (own) => types.includes(own) }) => isRead(type))
  return {
    types,
    isRead: (type) => find(type) !== undefined,
    read: (received) => find(received.type)?.read?.(received),
    select: (contentType = '') => {
      const found = contentType ? find(getEssence(contentType)) : media[0]
      if (found === undefined) throw new TypeError(developerErrors.unsupportedRequestType('The endpoint', contentType, types.join(', ')))
      return found
    },
  }
}

/**
 * A response with declared headers.
 *
 * @example
 * ```ts
 * import { json, number, withHeaders, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', responses: [[200, withHeaders(json, { 'Total-Count': number })]] }
 * ```
 */
export const lightWithHeaders = (media: RouteMedia, codecs: RouteCodecs): RouteMedia => ({
  ...media,
  readHeaders: ({ call, response }) =>
    Object.fromEntries(
      Object.entries(codecs).map(([name, { read, readFields, absent }]) => {
        if (readFields) return [name, readFields(response.headers)]
        const text = response.headers.get(name)
        if (text !== null) return [name, read ? read(text) : text]
        if (absent) return [name, absent()]
        throw new UnexpectedResponseError(call, response, clientErrors.responseHeaderIssue(name, 'expected a value, got nothing', false))
      }),
    ),
})

/**
 * Problem details of one type.
 *
 * @example
 * ```ts
 * import { json, none, problem, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /orders', responses: [[204, none]], errors: [[409, problem('/sold-out', json)]] }
 * ```
 */
export const lightProblem = (problem: string, media: RouteMedia): RouteMedia => ({ ...media, types: ['application/problem+json'], problem })
