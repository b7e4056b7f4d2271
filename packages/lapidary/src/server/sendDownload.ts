/** Writes a `download`: opens the file that a handler has returned, and sends what the request asks for. */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { DownloadSource } from '../contract/media/download.ts'
import type { WithHeaders } from '../contract/reply.ts'
import { iterateWebStream } from '../http/chunks.ts'
import { digest } from '../http/digest.ts'
import { toolkitErrors } from '../http/errors.ts'
import { type FileRepresentation, type FileSource, formatContentDisposition, respondWithFile } from '../http/fileResponse.ts'
import { getHeader, isHeaderValue } from '../http/headerFields.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { getByMediaType, getEssence, isMediaRange, parseMediaType } from '../http/mediaTypes.ts'
import { awaitFirstChunk, isResponseStream } from '../http/responseStream.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail, unsatisfiableRangeDetail } from '../messages/problemMessages.ts'
import { createHeaderFilter, createPreconditionFailed } from './conditionalRequests.ts'
import type { ReplyWriter } from './write.ts'

/** How much of a Blob is in memory while its digest is computed, in bytes. */
const digestChunkSize = 1_048_576

async function computeDigest(blob: Blob): Promise<string> {
  let result = digest(`${blob.size}\n`, new Uint8Array())
  for (let start = 0; start < blob.size; start += digestChunkSize)
    result = digest(result, new Uint8Array(await blob.slice(start, start + digestChunkSize).arrayBuffer()))
  return result
}

/** A Blob does not change: its digest is computed once. One that could not be read, such as a file of `openAsBlob`, is read again. */
const digests = new WeakMap<Blob, Promise<string>>()

function getDigest(blob: Blob): Promise<string> {
  const known = digests.get(blob)
  if (known !== undefined) return known
  const result = computeDigest(blob)
  digests.set(blob, result)
  result.catch(() => digests.delete(blob))
  return result
}

/** A Blob as a file. Its type is part of its version: the same bytes as another type are another representation. */
const openBlob = async (blob: Blob, essence: string): Promise<FileRepresentation> => ({
  size: blob.size,
  etag: `"${digest(`${essence}\n`, await getDigest(blob)).slice(0, 32)}"`,
  modified: undefined,
  stream: ({ start, length }) => iterateWebStream(blob.slice(start, start + length).stream()),
  close: async () => {},
})

/** @throws TypeError for what is no file. */
function requireSource(value: unknown): DownloadSource {
  const { '~kind': kind, open } = Object(value) as Partial<DownloadSource & FileSource>
  // No JSON contains a function: what a client has sent is no file.
  if (value instanceof Blob || (kind === 'file' && typeof open === 'function')) return value as DownloadSource
  throw new TypeError(developerErrors.expectedDownload(value))
}

/** A Blob has no name, a File can have an empty one. */
const getSourceName = (source: DownloadSource | File): string | undefined => ('name' in source && source.name ? source.name : undefined)

/** Makes the response from what a handler has returned. */
type DownloadSender = (value: unknown, request: HttpRequest) => Promise<HttpResponse>

/**
 * Compiles the download of an endpoint.
 *
 * @param writer of its usual reply
 * @param onLateError receives the failure of a file whose head is sent
 */
export function createDownloadSender(
  endpoint: AnyEndpoint,
  { offers, writeHead }: ReplyWriter,
  onLateError: (error: unknown, request: HttpRequest) => void,
): DownloadSender {
  const { route, response } = endpoint
  const hasHeaders = Object.keys(response.headers).length > 0
  const indexes = new Map(offers.map((offer, index) => [getEssence(offer), index]))
  const [defaultType = '', ...otherTypes] = offers
  const usualType = otherTypes.length > 0 || isMediaRange(defaultType) ? 'application/octet-stream' : defaultType
  const keepHeaders = createHeaderFilter(endpoint)

  /** The offer that a file has the type of. @throws TypeError for a type that is not declared */
  function findOffer(source: DownloadSource): { readonly offer: number; readonly essence: string; readonly type: string } {
    const type = source.type || usualType
    const parsed = parseMediaType(type)
    const essence = parsed?.essence ?? type
    const offer = parsed === undefined || isMediaRange(essence) ? undefined : getByMediaType(indexes, essence)
    if (offer !== undefined && isHeaderValue(type)) return { offer, essence, type }
    throw new TypeError(developerErrors.undeclaredDownloadType(route, essence, [...indexes.keys()].join(', ')))
  }

  /** The headers of an offer. A range has no type: the file has. */
  const addType = (headers: readonly string[], offer: number, type: string): readonly string[] =>
    isMediaRange(getEssence(offers[offer] as string)) ? headers.with(headers.indexOf('Content-Type') + 1, type) : headers

  /** @throws TypeError for what the endpoint does not declare. No file is open yet. */
  function readValue(value: unknown): { readonly source: DownloadSource; readonly essence: string; readonly headers: readonly string[] } {
    try {
      const source = requireSource(hasHeaders ? Object(value).body : value)
      const { offer, essence, type } = findOffer(source)
      const name = getSourceName(source)
      const { headers } = writeHead(value as WithHeaders<unknown, object>, offer)
      const disposition = name === undefined ? [] : ['Content-Disposition', formatContentDisposition(name, response.content?.disposition)]
      return { source, essence, headers: [...addType(headers, offer, type), ...disposition] }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new TypeError(developerErrors.invalidResponse(route, error.message), { cause: error })
    }
  }

  return async (value, request) => {
    const { source, essence, headers } = readValue(value)
    const file = source instanceof Blob ? await openBlob(source, essence) : await source.open()
    // Removed since the handler has found it.
    if (file === undefined) throw toolkitErrors.notFound({ detail: problemDetail.noSuchFile() })
    const sent = await respondWithFile(request, file, request.method === 'GET', ({ status, headers: own }) => {
      if (status === 412) throw createPreconditionFailed()
      if (status === 416) {
        const range = getHeader(own, 'Content-Range') as string
        throw toolkitErrors.rangeNotSatisfiable({ detail: unsatisfiableRangeDetail(file.size), headers: { 'Content-Range': range } })
      }
      return { status, headers: [...(status === 304 ? keepHeaders(headers) : headers), ...own], route }
    })
    const { body } = sent
    if (!isResponseStream(body)) return sent
    return { ...sent, body: await awaitFirstChunk(body, false, request, (error) => onLateError(error, request)) }
  }
}
