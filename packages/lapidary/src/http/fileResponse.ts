/** The response to a request for a file: all of it, a range, 304, 412 or 416 (RFC 9110 §13.2.2, §14), and the name to save it with (RFC 6266). */
import { escapeQuoted } from './headerFields.ts'
import type { HttpRequest, HttpResponse } from './httpHandler.ts'
import { percentEncode } from './percentEncoding.ts'
import { evaluatePreconditions, isRangeApplicable, type Validators } from './preconditions.ts'

/** A range of bytes. */
export interface ByteRange {
  /** The position of the first byte, counted from 0. */
  readonly start: number
  readonly length: number
}

const singleRangePattern = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i

/**
 * Parses a Range header.
 *
 * @param size the size of the resource in bytes
 * @returns the range; `whole` where there is none to apply: no header, another unit, several ranges, or an invalid one, all of which a
 * server may ignore (RFC 9110 §14.2); `unsatisfiable` (416) where no byte of the range exists
 */
export function parseByteRange(text: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = (text === undefined ? null : singleRangePattern.exec(text)) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    if (Number(last) === 0) return 'unsatisfiable'
    // The last bytes of an empty file are all of it, which `Content-Range` cannot express.
    return length === 0 ? 'whole' : { start: size - length, length }
  }
  const start = Number(first)
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last)
  if (end < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, length: Math.min(end, size - 1) - start + 1 }
}

/** What is sent: an open file, or what reads like one. */
export interface FileRepresentation extends Validators {
  /** In bytes. */
  readonly size: number
  /** The bytes of a range. The file is closed at the end of the stream, on its `return()`, on an error, and when `signal` fires. */
  readonly stream: (range: ByteRange, signal: AbortSignal) => AsyncIterable<Uint8Array>
  /** Closes a file that is not streamed. */
  readonly close: () => Promise<void>
}

/** A file that is opened when its response is written. `sendFile` makes it. */
export interface FileSource {
  readonly '~kind': 'file'
  /** The name to save it with; undefined: the response has no `Content-Disposition`. */
  readonly name: string | undefined
  /** Its media type; undefined: it is not known. */
  readonly type: string | undefined
  /** Opens the file. Resolves to undefined if the file no longer exists. */
  readonly open: () => Promise<FileRepresentation | undefined>
}

/** What a request gets. */
interface FileDecision {
  readonly status: 200 | 206 | 304 | 412 | 416
  /** `ETag` and `Last-Modified`, with `Content-Length` and `Content-Range` where they belong to the status. */
  readonly headers: readonly string[]
  /** The part of the file that is the body; undefined for a status without one. */
  readonly range?: ByteRange
}

/** Formats the `Content-Range` of 416. */
const formatUnsatisfiedRange = (size: number): string => `bytes */${size}`

function decide(request: HttpRequest, file: FileRepresentation, hasRanges: boolean): FileDecision {
  const { size, etag, modified } = file
  const header: HttpRequest['header'] = (name) => request.header(name)
  const validators = [
    ...['ETag', etag],
    // Must not be in the future, even if the file's time is (RFC 9110 §8.8.2.1).
    ...(modified === undefined ? [] : ['Last-Modified', new Date(Math.min(modified * 1000, Date.now())).toUTCString()]),
  ]
  const decision = evaluatePreconditions(header, file)
  if (decision === 'unchanged') return { status: 304, headers: validators }
  if (decision === 'failed') return { status: 412, headers: validators }

  const range = hasRanges && isRangeApplicable(header, file) ? parseByteRange(header('range'), size) : 'whole'
  if (range === 'unsatisfiable') return { status: 416, headers: [...validators, 'Content-Range', formatUnsatisfiedRange(size)] }
  if (range === 'whole') return { status: 200, headers: ['Content-Length', `${size}`, ...validators], range: { start: 0, length: size } }
  const contentRange = `bytes ${range.start}-${range.start + range.length - 1}/${size}`
  return { status: 206, headers: ['Content-Length', `${range.length}`, 'Content-Range', contentRange, ...validators], range }
}

/**
 * Responds with a file, or a part of it. It is closed where it is not streamed.
 *
 * @param hasRanges whether the header `Range` counts: that of GET alone (§14.2), and of methods that are answered as GET
 * @param createHead makes the head of the response, or throws an error in its place
 */
export async function respondWithFile(
  request: HttpRequest,
  file: FileRepresentation,
  hasRanges: boolean,
  createHead: (decision: FileDecision) => Omit<HttpResponse, 'body'>,
): Promise<HttpResponse> {
  let isStreaming = false
  try {
    const decision = decide(request, file, hasRanges)
    const head = createHead(decision)
    if (decision.range === undefined || request.method === 'HEAD') return { ...head, body: null }
    const body = file.stream(decision.range, request.signal)
    isStreaming = true
    return { ...head, body }
  } finally {
    if (!isStreaming) await file.close()
  }
}

/** In characters, so that no name fills the head of a response. File systems take 255 bytes. */
const maxNameLength = 200

/** Characters that a file name cannot have somewhere: separators of folders, and controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern has to find
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f/\\]/g

/**
 * Formats the header for a file name: `attachment; filename="report.pdf"`, or the same with `inline`. A name that is more than ASCII is in `filename*` as well. A
 * separator of folders or a control character becomes `_`.
 */
export function formatContentDisposition(name: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  const safe = [...name.toWellFormed().replace(unsafeCharacters, '_')].slice(0, maxNameLength).join('')
  const ascii = safe.replace(/[^\x20-\x7e]/gu, '_')
  // Some clients decode a percent sign in `filename`.
  const plain = `${disposition}; filename="${escapeQuoted(ascii).replaceAll('%', '_')}"`
  return ascii === safe && !safe.includes('%') ? plain : `${plain}; filename*=UTF-8''${percentEncode(safe)}`
}
