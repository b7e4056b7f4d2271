/**
 * Parses `multipart/form-data` (RFC 7578) while it arrives. The time is linear in the length of the body, however it is cut into chunks: a
 * delimiter has one carriage return, at its start, so no byte is compared twice after a mismatch.
 */
import * as expectation from '../messages/expectations.ts'
import { decodeUtf8, encodeUtf8 } from './encodings.ts'
import { trimBlanks } from './headerFields.ts'

/** The head of a part. */
export interface PartHead {
  readonly name: string
  /** The last segment of the file name, without control characters; undefined where the part has none. */
  readonly fileName: string | undefined
  /** The Content-Type; undefined where the part has none. */
  readonly type: string | undefined
}

/** What a parser finds, in order. `error` is the last, and says what was expected. */
export type MultipartEvent =
  | { readonly kind: 'part'; readonly head: PartHead }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'partEnd' }
  | { readonly kind: 'error'; readonly expected: string }

/** The most bytes of the head of a part. */
const maxPartHeadLength = 8_192
/** The longest name of a part, in characters. */
const maxPartNameLength = 256
/** The most bytes of white space after a delimiter. */
const maxPaddingLength = 64

const boundaryPattern = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/

/** Whether a text can be a boundary (RFC 2046 §5.1.1): 1 to 70 characters. */
export const isBoundary = (text: string): boolean => boundaryPattern.test(text)

const cr = 0x0d
const lf = 0x0a
const dash = 0x2d

// The blanks around the value are a part of it here: with a repetition of their own in front of it, a value with a control character would be
// searched once for each of them.
const headerLinePattern = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):((?:[\t\u0080-\u009f]|\P{Cc})*)$/u
const dispositionParameterPattern = /[ \t]*;[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"\t ]*))/y

/** Browsers encode these three (WHATWG, multipart/form-data encoding algorithm), other clients put a backslash before a quote. */
const unescapeName = (text: string): string =>
  text.replace(
    /\\(["\\])|%(0[AD]|22)/gi,
    (_, escaped: string | undefined, code: string) => escaped ?? String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Of `C:\photos\opal.jpg` and `../opal.jpg` only `opal.jpg` is a name; `.` and `..` are none. */
function toFileName(text: string): string {
  const name = (text.split(/[/\\]/).at(-1) ?? '').replace(/\p{Cc}/gu, '')
  return /^\.{0,2}$/.test(name) ? '' : name
}

/** Reads the parameters of a Content-Disposition; undefined where it is malformed. */
function parseDisposition(value: string): ReadonlyMap<string, string> | undefined {
  if (!/^form-data(?=[ \t]*(?:;|$))/i.test(value)) return undefined
  const parameters = new Map<string, string>()
  let at = 'form-data'.length
  while (at < value.length && trimBlanks(value.slice(at)) !== '') {
    dispositionParameterPattern.lastIndex = at
    const [all, name = '', quoted, plain = ''] = dispositionParameterPattern.exec(value) ?? []
    if (all === undefined || parameters.has(name.toLowerCase())) return undefined
    // A path of old browsers has single backslashes.
    parameters.set(name.toLowerCase(), quoted === undefined ? plain : unescapeName(quoted))
    at += all.length
  }
  return parameters
}

/** Reads the head of a part. Returns what was expected where it is malformed. */
function parsePartHead(bytes: Uint8Array): PartHead | string {
  const text = decodeUtf8(bytes)
  if (text === undefined) return expectation.utf8()
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    if (line === '') continue
    const [all, name = '', value = ''] = headerLinePattern.exec(line) ?? []
    if (all === undefined || headers.has(name.toLowerCase())) return expectation.partHeaders()
    headers.set(name.toLowerCase(), trimBlanks(value))
  }
  const disposition = parseDisposition(headers.get('content-disposition') ?? '')
  const name = disposition?.get('name')
  if (name === undefined || name === '') return expectation.partName()
  if (name.length > maxPartNameLength) return expectation.shortPartName(maxPartNameLength)
  if (!/^(?:7bit|8bit|binary)?$/i.test(headers.get('content-transfer-encoding') ?? '')) return expectation.plainPart()
  const fileName = disposition?.get('filename')
  return { name, fileName: fileName === undefined ? undefined : toFileName(fileName), type: headers.get('content-type') }
}

type ParserState = 'preamble' | 'delimiter' | 'head' | 'data' | 'epilogue' | 'failed'

/** The parser of one body. */
export class MultipartParser {
  private readonly delimiter: Uint8Array
  private state: ParserState = 'preamble'
  /** How many bytes of the delimiter have been found at the end of what was parsed. A body begins as if after a line. */
  private matched = 2
  /** How many of them are no data, since they belong to what is in front of the data. */
  private foreign = 2
  /** The bytes after a delimiter, or of a head. */
  private line: number[] = []

  /** @param boundary as `isBoundary` allows it */
  constructor(boundary: string) {
    this.delimiter = encodeUtf8(`\r\n--${boundary}`)
  }

  /** Parses a chunk. */
  *push(chunk: Uint8Array): Generator<MultipartEvent, void, undefined> {
    let at = 0
    while (at < chunk.length) {
      if (this.state === 'epilogue' || this.state === 'failed') return
      if (this.state === 'preamble' || this.state === 'data') at = yield* this.scanData(chunk, at)
      else {
        const byte = chunk[at] as number
        at += 1
        if (this.state === 'delimiter') yield* this.readDelimiterByte(byte)
        else yield* this.readHeadByte(byte)
      }
    }
  }

  /** The body has ended. */
  *finish(): Generator<MultipartEvent, void, undefined> {
    if (this.state !== 'epilogue' && this.state !== 'failed') yield this.fail(expectation.lastBoundary())
  }

  private fail(expected: string): MultipartEvent {
    this.state = 'failed'
    return { kind: 'error', expected }
  }

  /** Looks for the next delimiter. Returns the place after what was scanned. */
  private *scanData(chunk: Uint8Array, start: number): Generator<MultipartEvent, number, undefined> {
    const { delimiter } = this
    const isData = this.state === 'data'
    let at = start
    /** Where the data begins that is not handed on yet. */
    const dataStart = start
    while (at < chunk.length) {
      if (this.matched === 0) {
        at = chunk.indexOf(cr, at)
        if (at < 0) {
          if (isData && dataStart < chunk.length) yield { kind: 'data', bytes: chunk.subarray(dataStart) }
          return chunk.length
        }
      }
      const matchStart = at
      const before = this.matched
      while (at < chunk.length && this.matched < delimiter.length && chunk[at] === delimiter[this.matched]) {
        at += 1
        this.matched += 1
      }
      if (this.matched === delimiter.length) {
        if (isData && dataStart < matchStart) yield { kind: 'data', bytes: chunk.subarray(dataStart, matchStart) }
        if (isData) yield { kind: 'partEnd' }
        this.state = 'delimiter'
        this.matched = 0
        this.foreign = 0
        return at
      }
      if (at === chunk.length) {
        // The rest of the delimiter may follow.
        if (isData && dataStart < matchStart) yield { kind: 'data', bytes: chunk.subarray(dataStart, matchStart) }
        return at
      }
      // No delimiter. What an earlier chunk had of it is data.
      if (isData && before > this.foreign) yield { kind: 'data', bytes: delimiter.slice(this.foreign, before) }
      this.matched = 0
      this.foreign = 0
    }
    return at
  }

  /** `--` after a delimiter ends the last part; white space and a line end begin the next one. */
  private *readDelimiterByte(byte: number): Generator<MultipartEvent, void, undefined> {
    const { line } = this
    line.push(byte)
    const [first, second] = line
    if (first === dash) {
      if (line.length < 2) return
      if (second !== dash) yield this.fail(expectation.boundaryLine())
      else this.state = 'epilogue'
    } else if (line.at(-2) === cr) {
      if (byte !== lf) yield this.fail(expectation.boundaryLine())
      else {
        this.state = 'head'
        this.line = []
      }
    } else if ((byte !== cr && byte !== 0x20 && byte !== 0x09) || line.length > maxPaddingLength)
      yield this.fail(expectation.boundaryLine())
  }

  private *readHeadByte(byte: number): Generator<MultipartEvent, void, undefined> {
    const { line } = this
    line.push(byte)
    if (line.length > maxPartHeadLength) yield this.fail(expectation.shortPartHead(maxPartHeadLength))
    else if (byte === lf && line.at(-2) === cr && (line.length === 2 || (line.at(-3) === lf && line.at(-4) === cr))) {
      this.line = []
      const head = parsePartHead(Uint8Array.from(line))
      if (typeof head === 'string') yield this.fail(head)
      else {
        this.state = 'data'
        // The delimiter may follow directly (RFC 2046 §5.1.1): its line end is that of the head.
        this.matched = 2
        this.foreign = 2
        yield { kind: 'part', head }
      }
    }
  }
}
