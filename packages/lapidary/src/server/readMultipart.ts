/** Reads a form of `multipart` while it arrives: texts into memory, files into an `UploadStorage`. */
import { type FileLimits, getFileLimits, type UploadedFile } from '../contract/parameters/file.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import { ChunkList } from '../http/chunks.ts'
import { decodeUtf8 } from '../http/encodings.ts'
import { toolkitErrors } from '../http/errors.ts'
import type { HttpError, ProblemError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { getEssence, parseMediaType } from '../http/mediaTypes.ts'
import { isBoundary, MultipartParser, type PartHead } from '../http/multipartParser.ts'
import { isParseError } from '../json-schema/parseError.ts'
import * as expectation from '../messages/expectations.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { UploadStorage } from '../uploads/uploadStorage.ts'
import { InvalidInputError } from './invalidInput.ts'

/** The most parts of a form, those that are not declared included. */
const maxParts = 1_000
/** The most bytes of all texts of a form. */
const maxTextBytes = 1_048_576

/** A file of a form, as a range of the storage of its request. */
class StoredFile implements UploadedFile {
  readonly name: string
  readonly type: string
  readonly size: number
  private readonly start: number
  private readonly storage: UploadStorage

  constructor({ fileName = '', type = '' }: PartHead, storage: UploadStorage, start: number) {
    this.name = fileName
    this.type = type
    this.size = storage.length - start
    this.start = start
    this.storage = storage
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const chunks = this.readChunks()
    return new ReadableStream({
      pull: async (controller) => {
        const { value } = await chunks.next()
        if (value === undefined) controller.close()
        else controller.enqueue(value)
      },
    })
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(this.size)
    let at = 0
    for await (const chunk of this.readChunks()) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  private readChunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    return this.storage.read(this.start, this.start + this.size)
  }
}

/** The text of a part; undefined for bytes that are not UTF-8. A byte order mark is a character like any other. */
function decodePart(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes)
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && text !== undefined ? `\ufeff${text}` : text
}

const createPartError = (name: string, detail: string): ProblemError => ({ in: 'body', name, detail })

const isOfType = (type: string, ranges: readonly string[]): boolean =>
  ranges.length === 0 || ranges.some((range) => (range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : type === range))

/** What is declared of a part. */
interface DeclaredPart {
  readonly parameter: AnyParameter
  /** Undefined: it is a text. */
  readonly limits: FileLimits | undefined
}

/** The part that arrives. */
interface CurrentPart {
  readonly head: PartHead
  /** Undefined: it is dropped. */
  readonly declared: DeclaredPart | undefined
  /** The bytes of a text. */
  readonly chunks: ChunkList
  /** Where a file begins in the storage. */
  readonly start: number
}

/** Collects the parts of one form. */
class FormCollector {
  private readonly declared: ReadonlyMap<string, DeclaredPart>
  private readonly storage: UploadStorage
  private readonly values = new Map<string, unknown[]>()
  private readonly invalid: ProblemError[] = []
  private current: CurrentPart | undefined = undefined
  private parts = 0
  private textBytes = 0

  constructor(declared: ReadonlyMap<string, DeclaredPart>, storage: UploadStorage) {
    this.declared = declared
    this.storage = storage
  }

  /** @throws HttpError for a part that cannot be accepted, before its content arrives */
  beginPart(head: PartHead): void {
    const { name, type = '' } = head
    this.parts += 1
    if (this.parts > maxParts) throw toolkitErrors.contentTooLarge({ detail: problemDetail.tooManyParts(maxParts) })
    const declared = this.declared.get(name)
    this.current = { head, declared, chunks: new ChunkList(), start: this.storage.length }
    if (declared === undefined) return
    const count = this.values.get(name)?.length ?? 0
    const { limits, parameter } = declared
    if (count >= (parameter.repeats ? (limits?.maxItems ?? maxParts) : 1))
      throw new InvalidInputError('body', [createPartError(name, `expected ${expectation.oneValue(count + 1)}`)])
    const essence = getEssence(type)
    // A field of a browser's form without a file has a type, and no name.
    if (limits !== undefined && head.fileName !== '' && !isOfType(essence, limits.types)) throw this.createTypeError(name, limits)
  }

  private createTypeError(name: string, { types }: FileLimits): HttpError {
    const error = createPartError(name, `expected ${expectation.fileOfType(types)}`)
    return toolkitErrors.unsupportedMediaType({ detail: problemDetail.wrongFileType(name), errors: [error] })
  }

  /** @throws HttpError 413 as soon as it is too much */
  addBytes(bytes: Uint8Array): Promise<void> | undefined {
    if (this.current?.declared === undefined) return undefined
    const { head, declared, chunks, start } = this.current
    if (declared.limits === undefined) {
      this.textBytes += bytes.length
      if (this.textBytes > maxTextBytes) throw toolkitErrors.contentTooLarge({ detail: problemDetail.formTextsTooLarge(maxTextBytes) })
      chunks.push(bytes.slice())
      return undefined
    }
    const { maxSize = Number.POSITIVE_INFINITY } = declared.limits
    if (this.storage.length - start + bytes.length > maxSize) {
      const error = createPartError(head.name, `expected ${expectation.fileOfSize(maxSize)}`)
      throw toolkitErrors.contentTooLarge({ detail: problemDetail.fileTooLarge(head.name), errors: [error] })
    }
    return this.storage.append(bytes)
  }

  endPart(): void {
    if (this.current?.declared === undefined) return
    const { head, declared, chunks, start } = this.current
    const value = declared.limits === undefined ? decodePart(chunks.take()) : new StoredFile(head, this.storage, start)
    if (value instanceof StoredFile && value.size === 0 && head.fileName === '') return
    if (value === undefined) this.invalid.push(createPartError(head.name, `expected ${expectation.utf8()}`))
    const values = this.values.get(head.name)
    if (values === undefined) this.values.set(head.name, [value ?? ''])
    else values.push(value ?? '')
  }

  /** The record of all parts. @throws HttpError 400 with everything that is wrong */
  finish(): Readonly<Record<string, unknown>> {
    const entries = [...this.declared].map(([name, { parameter }]) => {
      const values = (this.values.get(name) ?? []) as string[]
      const value: unknown = parameter.read({ values, isPresent: values.length > 0 })
      if (isParseError(value)) this.invalid.push(...value.issues.map(({ detail }) => createPartError(name, detail)))
      return [name, value] as const
    })
    if (this.invalid.length > 0) throw new InvalidInputError('body', this.invalid)
    return Object.fromEntries(entries)
  }
}

const createFormError = (expected: string): HttpError => new InvalidInputError('body', [{ in: 'body', detail: `expected ${expected}` }])

async function collectForm(chunks: AsyncIterable<Uint8Array>, parser: MultipartParser, collector: FormCollector): Promise<unknown> {
  const collect = async (events: ReturnType<MultipartParser['push']>): Promise<void> => {
    for (const event of events) {
      if (event.kind === 'data') await collector.addBytes(event.bytes)
      else if (event.kind === 'part') collector.beginPart(event.head)
      else if (event.kind === 'partEnd') collector.endPart()
      else throw createFormError(event.expected)
    }
  }
  for await (const chunk of chunks) await collect(parser.push(chunk))
  await collect(parser.finish())
  return collector.finish()
}

/** Reads the form of a request. @throws HttpError 400, 413, 415 */
type FormReader = (request: HttpRequest, limit: number) => Promise<unknown>

/** Compiles the reader of a form. */
export function createFormReader(parts: Readonly<Record<string, AnyParameter>>): FormReader {
  const declared = new Map(Object.entries(parts).map(([name, parameter]) => [name, { parameter, limits: getFileLimits(parameter) }]))
  return async (request, limit) => {
    const boundary = parseMediaType(request.header('content-type') ?? '')?.parameters.get('boundary') ?? ''
    if (!isBoundary(boundary)) throw createFormError(expectation.boundaryParameter())
    const storage = new UploadStorage()
    try {
      const body = await collectForm(request.bodyStream(limit), new MultipartParser(boundary), new FormCollector(declared, storage))
      request.onEnd(() => storage.close())
      return body
    } catch (error) {
      storage.close()
      throw error
    }
  }
}
