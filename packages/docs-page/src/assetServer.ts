/** The files that the page loads: compressed where the client takes it, and kept by the client for a year. */
import { endpoint, mediaType, ok, optional, text, withHeaders } from 'lapidary'
import { collectBytes, createCodingNegotiator, decodeCoding } from 'lapidary/internal'
import { type Middleware, vary } from 'lapidary/middleware'
import { type HttpHandler, serve } from 'lapidary/server'
import type { Asset } from '../assets/index.js'

const negotiateCoding = createCodingNegotiator(['gzip'])

const fromBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

async function decompress(gzip: Uint8Array): Promise<Uint8Array> {
  async function* listChunks(): AsyncGenerator<Uint8Array> {
    yield gzip
  }
  return collectBytes(decodeCoding(listChunks(), 'gzip'))
}

const varyByCoding: Middleware = (next) => async (request) => {
  const response = await next(request)
  return { ...response, headers: vary(response.headers, 'Accept-Encoding') }
}

const defineAsset = ({ name, type }: Asset) =>
  endpoint(`GET /${name}` as 'GET /name', {
    headers: { 'Accept-Encoding': optional(text) },
    response: ok(mediaType<Uint8Array>({ types: [type], writer: () => (bytes) => bytes }), {
      headers: { 'Content-Encoding': optional(text) },
    }),
    // A name never gets another content.
    responseHeaders: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    etag: true,
  })

/** Serves the files, each below its name. */
export function createAssetServer(assets: readonly Asset[]): HttpHandler {
  const files = assets.map((asset) => {
    const gzip = fromBase64(asset.gzip)
    let identity: Promise<Uint8Array> | undefined
    const send = async (acceptEncoding: string | undefined) => {
      const { coding } = negotiateCoding(acceptEncoding)
      if (coding !== undefined) return withHeaders(gzip, { 'Content-Encoding': coding })
      identity ??= decompress(gzip)
      return withHeaders(await identity, { 'Content-Encoding': undefined })
    }
    return { name: asset.name, endpoint: defineAsset(asset), send }
  })
  return serve(
    Object.fromEntries(files.map(({ name, endpoint }) => [name, endpoint])),
    Object.fromEntries(files.map(({ name, send }) => [name, ({ headers }) => send(headers['Accept-Encoding'])])),
    { middleware: [varyByCoding] },
  )
}
