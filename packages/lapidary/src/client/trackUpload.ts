/** `trackUpload(listener)`: a `fetch` that tells how much of a request body has been sent. */
import type { FetchLike } from './redirects.ts'

/** How much of a request body has been sent. */
export interface UploadProgress {
  /** The number of bytes that the connection has taken. */
  readonly loaded: number
  /** The number of bytes of the whole body; undefined where it is not known: outside of browsers, and for an empty body. */
  readonly total: number | undefined
}

/** What is needed of the `XMLHttpRequest` of browsers. */
interface UploadRequest {
  readonly upload: { onprogress: ((event: { loaded: number; total: number; lengthComputable: boolean }) => void) | null }
  readonly status: number
  readonly statusText: string
  readonly response: Blob
  readonly responseURL: string
  responseType: string
  withCredentials: boolean
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: Blob | null): void
  abort(): void
}

/** Sends a request by XMLHttpRequest, which is all that browsers have to tell the progress. */
async function sendByXhr(Xhr: new () => UploadRequest, request: Request, listener: (progress: UploadProgress) => void): Promise<Response> {
  const body = request.body === null && request.method === 'GET' ? null : await request.blob()
  request.signal.throwIfAborted()
  const xhr = new Xhr()
  xhr.open(request.method, request.url)
  xhr.responseType = 'blob'
  xhr.withCredentials = request.credentials === 'include'
  for (const [name, value] of request.headers) xhr.setRequestHeader(name, value)
  // A listener makes a request to another origin need a preflight, so an empty body has none.
  if (body?.size) {
    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => listener({ loaded, total: lengthComputable ? total : undefined })
  }
  return new Promise((resolve, reject) => {
    const abort = (): void => xhr.abort()
    request.signal.addEventListener('abort', abort)
    const settle = (run: () => void) => (): void => {
      request.signal.removeEventListener('abort', abort)
      run()
    }
    xhr.onload = settle(() => {
      const headers = new Headers()
      for (const line of xhr.getAllResponseHeaders().split('\r\n').filter(Boolean)) {
        const colon = line.indexOf(':')
        headers.append(line.slice(0, colon), line.slice(colon + 1))
      }
      const { status, statusText, response: blob } = xhr
      // A response such as 204 must have none.
      const response = new Response(blob.size > 0 ? blob : null, { status, statusText, headers })
      resolve(Object.defineProperty(response, 'url', { value: xhr.responseURL }))
    })
    xhr.onerror = settle(() => reject(new TypeError('Failed to fetch')))
    xhr.onabort = settle(() => reject(request.signal.reason))
    xhr.send(body)
  })
}

/** Sends a request by `fetch`, and counts the chunks of its body that the connection takes. */
function sendByStream(request: Request, listener: (progress: UploadProgress) => void): Promise<Response> {
  const { body } = request
  if (body === null) return fetch(request)
  let loaded = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform: (chunk, controller) => {
        controller.enqueue(chunk)
        loaded += chunk.length
        listener({ loaded, total: undefined })
      },
    },
    undefined,
    // No chunk is taken before the connection asks for it.
    { highWaterMark: 0 },
  )
  return fetch(new Request(request, { body: body.pipeThrough(counter), duplex: 'half' } as RequestInit))
}

/**
 * Returns a `fetch` that tells how much of a request body has been sent, for one call: `call.photos.add(input, { fetch: trackUpload(show) })`.
 *
 * In browsers, `fetch` itself does not tell it. There the request goes by XMLHttpRequest: the browser copies the body before it sends it,
 * follows redirects by itself, and hands over the response when it is complete. Elsewhere (Node, Bun, Deno) the request goes by `fetch`, and
 * the bytes are those that the connection has taken.
 *
 * @param listener Gets the progress several times a second, as the body is sent. A repeated attempt begins again.
 * @example
 * ```ts
 * import { bytes, endpoint, noContent } from 'lapidary'
 * import { client, trackUpload } from 'lapidary/client'
 *
 * const api = { film: endpoint('PUT /film', { body: bytes, response: noContent }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * const fetch = trackUpload(({ loaded, total }) => console.log(loaded, total))
 * await call.film({ body: new Uint8Array(5_000_000) }, { fetch })
 * ```
 */
export function trackUpload(listener: (progress: UploadProgress) => void): FetchLike {
  const { XMLHttpRequest } = globalThis as { readonly XMLHttpRequest?: new () => UploadRequest }
  return (request) => (XMLHttpRequest === undefined ? sendByStream(request, listener) : sendByXhr(XMLHttpRequest, request, listener))
}
