/** Content codings (RFC 9110 §8.4.1): those of the platform, and the choice among them by `Accept-Encoding` (§12.5.3). */
import { ChunkList, concatBytes, iterateWebStream } from '../http/chunks.ts'
import { splitHeaderList } from '../http/headerFields.ts'
import { memoize } from '../http/memoize.ts'

/** A coding of responses. */
export type ContentCoding = 'zstd' | 'br' | 'gzip'

type ZlibOptions = Readonly<Record<string, unknown>>
type Chunks = AsyncIterable<Uint8Array>

/** What is needed of a stream of node:zlib. */
interface ZlibStream extends Chunks {
  write(chunk: Uint8Array, onWritten: () => void): void
  flush(kind: number, onFlushed: () => void): void
  end(): void
  destroy(): void
  on(event: 'data' | 'error' | 'end' | 'close', listener: (value: never) => void): void
}

type CreateStream = (options: ZlibOptions) => ZlibStream
type CompressNow = (body: string | Uint8Array, options: ZlibOptions) => Uint8Array
type CompressLater = (body: string | Uint8Array, options: ZlibOptions, done: (error: Error | null, bytes: Uint8Array) => void) => void

/** What is needed of node:zlib. Node.js before 22.15 has no zstd. */
interface NodeZlib {
  readonly gzipSync: CompressNow
  readonly brotliCompressSync: CompressNow
  readonly zstdCompressSync?: CompressNow
  readonly gzip: CompressLater
  readonly brotliCompress: CompressLater
  readonly zstdCompress?: CompressLater
  readonly createGzip: CreateStream
  readonly createBrotliCompress: CreateStream
  readonly createZstdCompress?: CreateStream
  readonly createGunzip: CreateStream
  readonly createInflate: CreateStream
  readonly createBrotliDecompress: CreateStream
  readonly createZstdDecompress?: CreateStream
  readonly constants: Readonly<Record<string, number | undefined>>
}

interface NodeStreams {
  /** Returns the last of the streams. An error of one of them destroys all. */
  pipeline(source: Chunks, ...streamsAndEnd: readonly (ZlibStream | (() => void))[]): ZlibStream
}

/** Node, Bun, Deno and some workers give their modules without an import, which bundlers for other platforms could not resolve. */
const { process: platform } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }
const zlib = platform?.getBuiltinModule?.('node:zlib') as NodeZlib | undefined
const streams = platform?.getBuiltinModule?.('node:stream') as NodeStreams | undefined

/** Compresses one stream. Each function resolves to the bytes that there are by then. */
export interface StreamCompressor {
  readonly write: (bytes: Uint8Array) => Promise<Uint8Array>
  /** Hands out all that was written. */
  readonly flush: () => Promise<Uint8Array>
  readonly end: () => Promise<Uint8Array>
  /** Frees the memory. What waits resolves. */
  readonly destroy: () => void
}

/** A coding with its level, on this platform. */
export interface Compressor {
  readonly compressNow?: (body: string | Uint8Array) => Uint8Array
  /** On another thread, where the platform has one for it. */
  readonly compress: (body: string | Uint8Array) => Promise<Uint8Array>
  /** Absent where the platform cannot flush a stream. */
  readonly createStream?: () => StreamCompressor
}

function createStreamCompressor(stream: ZlibStream, flushKind: number): StreamCompressor {
  const output = new ChunkList()
  let settle: ((error?: Error) => void) | undefined
  const take = (start: (done: () => void) => void): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve(output.take()) : reject(error))
      start(() => settle?.())
    })
  stream.on('data', (chunk: Uint8Array) => output.push(chunk))
  stream.on('error', (error: Error) => settle?.(error))
  stream.on('end', () => settle?.())
  stream.on('close', () => settle?.())
  return {
    write: (bytes) => take((done) => stream.write(bytes, done)),
    flush: () => take((done) => stream.flush(flushKind, done)),
    end: () => take(() => stream.end()),
    destroy: () => stream.destroy(),
  }
}

function createZlibCompressor(
  compressNow: CompressNow,
  compressLater: CompressLater,
  createStream: CreateStream,
  options: ZlibOptions,
  flushKind = 0,
): Compressor {
  return {
    compressNow: (body) => compressNow(body, options),
    compress: (body) =>
      new Promise((resolve, reject) => {
        compressLater(body, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)))
      }),
    createStream: () => createStreamCompressor(createStream(options), flushKind),
  }
}

const collectBody = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of iterateWebStream(stream)) chunks.push(chunk)
  return concatBytes(chunks)
}

/** The web's own compression has gzip alone, at its own level, and cannot flush a stream. */
const webCompressor: Compressor = {
  compress: (body) => collectBody(new Blob([body as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'))),
}

/** Creates the compressor of a coding; undefined where the platform does not have it. */
export function createCompressor(coding: ContentCoding, level: number): Compressor | undefined {
  if (zlib === undefined) return coding === 'gzip' ? webCompressor : undefined
  const { gzipSync, gzip, createGzip, brotliCompressSync, brotliCompress, createBrotliCompress } = zlib
  const { zstdCompressSync, zstdCompress, createZstdCompress, constants } = zlib
  if (coding === 'gzip') return createZlibCompressor(gzipSync, gzip, createGzip, { level }, constants['Z_SYNC_FLUSH'])
  const getOptions = (name: string): ZlibOptions => ({ params: { [constants[name] as number]: level } })
  if (coding === 'br') {
    const options = getOptions('BROTLI_PARAM_QUALITY')
    return createZlibCompressor(brotliCompressSync, brotliCompress, createBrotliCompress, options, constants['BROTLI_OPERATION_FLUSH'])
  }
  if (zstdCompressSync === undefined || zstdCompress === undefined || createZstdCompress === undefined) return undefined
  const options = getOptions('ZSTD_c_compressionLevel')
  return createZlibCompressor(zstdCompressSync, zstdCompress, createZstdCompress, options, constants['ZSTD_e_flush'])
}

const zlibDecoders: Readonly<Record<string, CreateStream | undefined>> = {
  zstd: zlib?.createZstdDecompress,
  br: zlib?.createBrotliDecompress,
  gzip: zlib?.createGunzip,
  deflate: zlib?.createInflate,
}

/** The codings that `decode` knows here, the best first. */
export const decodableCodings: readonly string[] =
  zlib === undefined ? ['gzip', 'deflate'] : Object.keys(zlibDecoders).filter((coding) => zlibDecoders[coding] !== undefined)

/** Decodes bytes as they come, at the pace of the reader. @param coding one of `decodableCodings` */
export function decode(source: Chunks, coding: string): Chunks {
  if (streams !== undefined && zlib !== undefined) {
    const createDecoder = zlibDecoders[coding] as CreateStream
    // The reader gets the errors.
    return streams.pipeline(source, createDecoder({}), () => {})
  }
  const iterator = source[Symbol.asyncIterator]()
  const encoded = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
    cancel: async () => void (await iterator.return?.()),
  })
  return iterateWebStream(encoded.pipeThrough<Uint8Array<ArrayBuffer>>(new DecompressionStream(coding as 'gzip' | 'deflate')))
}

/** The name of a coding (RFC 9110 §8.4.1.3), which has no case. */
export const normalizeCoding = (text: string): string => text.toLowerCase().replace(/^x-gzip$/, 'gzip')

/** What a client accepts. */
export interface CodingChoice {
  /** Undefined: the identity. */
  readonly coding: ContentCoding | undefined
  /** All acceptable ones, the chosen one first. */
  readonly accepted: readonly ContentCoding[]
  readonly isIdentityAcceptable: boolean
}

const codingPattern = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:[\t ]*;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/** Returns the function that chooses by `Accept-Encoding`. Among equal qualities the first coding wins, and the identity only if it alone is better. */
export function createCodingNegotiator(codings: readonly ContentCoding[]): (acceptEncoding: string | undefined) => CodingChoice {
  const negotiate = memoize((text): CodingChoice => {
    const qualities = new Map<string, number>()
    for (const element of splitHeaderList(text)) {
      const [, name, quality = '1'] = codingPattern.exec(element) ?? []
      if (name !== undefined) qualities.set(normalizeCoding(name), Number(quality))
    }
    const getQuality = (coding: string): number => qualities.get(coding) ?? qualities.get('*') ?? 0
    const accepted = codings.filter((coding) => getQuality(coding) > 0).toSorted((one, other) => getQuality(other) - getQuality(one))
    const [best] = accepted
    const isBetter = best !== undefined && getQuality(best) >= (qualities.get('identity') ?? 0)
    const isIdentityAcceptable = (qualities.get('identity') ?? qualities.get('*') ?? 1) > 0
    return { coding: isBetter ? best : undefined, accepted, isIdentityAcceptable }
  })
  return (acceptEncoding = '') => negotiate(acceptEncoding)
}
