/** The light client: an API as functions, made of its routes. It has no schemas, and checks no body. */
import type { CallCodec, CallOptions, Client } from '../client/callTypes.ts'
import { onAbort } from '../client/cancellation.ts'
import type { ClientOptions } from '../client/client.ts'
import * as clientErrors from '../client/clientErrorMessages.ts'
import { ConnectionError, getCauseMessage, UnexpectedResponseError } from '../client/errors.ts'
import type { AnyCallInput, CallTypes, HeaderRecord } from '../client/request.ts'
import type { Api } from '../contract/api.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { createReceivedError } from './lightErrors.ts'
import type { LightRoute, LightRoutes, ReceivedRoute, RouteBody, RouteCodecs, RouteValues } from './lightRoute.ts'

/** The texts of a parameter. */
export const writeTexts = (
  name: string,
  { find, write = String, delimiter }: CallCodec = {},
  values: RouteValues = {},
): readonly string[] => {
  const value = find ? find(values) : Object.hasOwn(values, name) ? values[name] : undefined
  const texts = value === undefined ? [] : [value].flat().flatMap((one) => write(one as never))
  return delimiter && texts.length ? [texts.join(delimiter)] : texts
}

/** The pairs of a name and a text, each parameter with all of its texts. */
const writePairs = (codecs: RouteCodecs = {}, values?: RouteValues): (readonly [name: string, texts: readonly string[]])[] =>
  Object.entries(codecs).map(([name, codec]) => [name, writeTexts(name, codec, values)])

/** Reads a body as a whole. @throws UnexpectedResponseError for one that is too large, ConnectionError for one that is cut off */
async function readBlob(call: string, response: Response, limit: number): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { value } =
      (await reader?.read().catch((cause) => {
        throw new ConnectionError(clientErrors.responseCutOff(call, getCauseMessage(cause)), { cause })
      })) ?? {}
    if (!value) return new Blob(chunks)
    chunks.push(value)
    length += value.length
    if (length > limit) throw new UnexpectedResponseError(call, response, clientErrors.responseTooLarge(limit))
  }
}

/** Reads a response as its route declares it. */
async function readResponse(route: LightRoute, received: ReceivedRoute, accept: string | undefined): Promise<unknown> {
  const { responses, errors = [] } = route
  const { call, response, type, blob } = received
  const { status } = response
  const [usual, media] = responses.find(([declared, { partStatus }]) => declared === status || partStatus === status) ?? []
  if (media === undefined) {
    const statuses = [...new Map<number | string, unknown>([...responses, ...errors]).keys()]
    if (status > 299 || statuses.includes(status)) throw await createReceivedError(route, received)
    throw new UnexpectedResponseError(call, response, status ? clientErrors.declaredStatuses(statuses) : clientErrors.opaqueRedirect())
  }
  const { types, isRead = () => types?.includes(type), readHeaders } = media
  const headers = readHeaders?.(received)
  let body: unknown
  if (types === undefined) await blob()
  else {
    if (!((type && accept?.startsWith(type)) || isRead(type)))
      throw new UnexpectedResponseError(
        call,
        response,
        clientErrors.unexpectedContentType(response.headers.get('content-type') ?? '', types),
      )
    body = await (accept ? (await blob()).text() : media.read?.(received))
  }
  if (responses.length > 1) return { status: usual, body, ...(headers && { headers }) }
  return headers ? { body, headers } : body
}

/** What a call returns: a stream, an object with one, or something else. */
type Result = { readonly body?: Result } & Partial<AsyncIterable<unknown>>

/** Creates the function that calls one endpoint. */
function createLightCall(route: LightRoute, base: string, clientOptions: ClientOptions) {
  const { headers, auth = [], signal } = clientOptions
  const [method, path] = route.route.split(' ') as [string, string]
  const { body: media, idempotent } = route

  return async (input: AnyCallInput = {}, options: CallOptions & CallTypes = {}): Promise<unknown> => {
    const {
      fetch = globalThis.fetch,
      timeout = 2 ** 31,
      retries = 2,
      maxResponseSize: limit = 2 ** 26,
      accept,
      // An option that is undefined is none.
    }: ClientOptions & CallTypes = Object.fromEntries(
      [clientOptions, options].flatMap(Object.entries).filter((option) => option[1] !== undefined),
    )
    const controller = new AbortController()
    const cancellation = controller.signal
    // The call listens to the signals of the caller until it ends, and then ends its own.
    for (const cause of [signal, options.signal])
      if (cause)
        onAbort(
          cancellation,
          onAbort(cause, () => controller.abort(cause.reason)),
        )
    let call = route.route

    const run = async (): Promise<unknown> => {
      const target =
        base +
        path.replace(/([:*])(\w+)/g, (_, sign: string, name: string) => {
          const [text = ''] = writeTexts(name, route.params?.[name], input.params)
          const parts = sign === '*' ? text.split('/') : [text]
          // A dot segment changes the path, encoded or not (RFC 3986 §5.2.4).
          if (parts.some((part) => /^\.{0,2}$/.test(part))) throw new TypeError(developerErrors.invalidCaptureValue(call, name))
          return parts.map(encodeURIComponent).join('/')
        })
      const query = writePairs(route.query, input.query).flatMap(([name, texts]) => texts.map((text) => [name, text] as const))
      const writeCookies = route.cookies?.(call, input.cookies)
      const own: Record<string, string> = {}
      const accepted = accept ?? route.responses[0]?.[1].types?.join(', ')
      if (accepted) own['Accept'] = accepted
      for (const [name, texts] of writePairs(route.headers, input.headers)) if (texts.length) own[name] = texts.join()
      let body: RouteBody | undefined
      if (media) {
        const { write, sent } = media.select?.(options.contentType) ?? media
        body = await write?.(input.body as never, { controller, idempotent })
        if (sent && body !== undefined) own['Content-Type'] = sent
      }
      call = `${method} ${target}`

      const attempt = async (more?: HeaderRecord): Promise<unknown> => {
        const { headers: written, query: keys = [] } = (await route.auth?.(auth)) ?? {}
        const common = typeof headers === 'function' ? await headers() : headers
        const merged = new Headers()
        for (const record of [common, written, own, more, options.headers])
          for (const [name, value] of Object.entries(record ?? {})) merged.set(name, value)
        writeCookies?.(merged)
        const pairs = [...query, ...keys].map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
        // `fetch` removes Authorization when it follows a redirect to another origin, and nothing else.
        const isPublic = body === undefined && [...merged.keys()].every((name) => /^a(ccept|uthorization)$/.test(name))
        let response: Response
        try {
          response = await fetch(
            new Request(target + (pairs && `?${pairs}`), {
              method,
              headers: merged,
              body,
              signal: cancellation,
              redirect: isPublic ? route.redirect : 'manual',
              duplex: 'half',
            } as RequestInit),
          )
        } catch (cause) {
          throw new ConnectionError(clientErrors.noResponse(call, getCauseMessage(cause)), { cause })
        }
        const url = (response.url || target).replace(/[?#].*/s, '')
        const type = (response.headers.get('content-type') ?? '').toLowerCase().replace(/[\s;].*/s, '')
        let whole: Promise<Blob> | undefined
        const blob = (): Promise<Blob> => (whole ??= readBlob(call, response, limit))
        return readResponse(route, { call, url, response, type, controller, limit, options, blob }, accept).catch((error) => {
          // A body that is not read would keep its connection.
          response.body?.cancel().catch(() => undefined)
          throw error
        })
      }
      return idempotent ? idempotent(route.route, options.idempotencyKey, attempt, retries, cancellation) : attempt()
    }

    return new Promise<unknown>((resolve, reject) => {
      // A cancellation ends the call at once, even if `fetch` or a function of the caller ignores it.
      onAbort(cancellation, () => reject(cancellation.reason))
      if (cancellation.aborted) return
      // `Infinity` is no limit.
      const timer =
        timeout < 2 ** 31
          ? setTimeout(() => controller.abort(new DOMException(clientErrors.responseTimeout(call, timeout), 'TimeoutError')), timeout)
          : 0
      ;(run() as Promise<Result | undefined>)
        .finally(() => clearTimeout(timer))
        .then((value) => {
          resolve(value)
          return (value?.body ?? value)?.[Symbol.asyncIterator]
        })
        .catch(reject)
        // A body that is still sent ends with its call, or with the stream that the call returned.
        .then((isStream) => isStream || controller.abort())
    })
  }
}

const createLightCalls = (routes: object, base: string, options: ClientOptions): object =>
  Object.fromEntries(
    Object.entries(routes).map(([name, part]) => [
      name,
      typeof part.route === 'string'
        ? Object.assign(createLightCall(part, base, options), { '~route': part })
        : createLightCalls(part, base, options),
    ]),
  )

/**
 * Returns the client of an API for pages that should load little: the same functions as those of `lapidary/client`, without the schemas and
 * their library. It checks no value: a response has the type that the description gives it if the server keeps to the description.
 *
 * @param routes The data of the endpoints, as `lapidary routes --client` writes it.
 * @param base The URL of the server, with or without a path. In a browser, `''` is the server of the page.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { client, text as plainText } from 'lapidary/light'
 *
 * // In a page: import type { api } from './api.ts', and import { routes } from './api.routes.ts'.
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const routes = { hello: { route: 'GET /hello', responses: [[200, plainText]] } } as const
 * const call = client<typeof api>(routes, 'http://127.0.0.1:8081')
 * console.log(await call.hello())
 * ```
 */
export function lightClient<A extends Api>(routes: LightRoutes<A>, base: string | URL, options: ClientOptions = {}): Client<A> {
  return createLightCalls(routes, String(base).replace(/\/+$/, ''), options) as Client<A>
}
