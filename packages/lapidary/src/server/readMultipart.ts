/** Reads a form of `multipart` while it arrives: texts into memory, files into an `UploadStorage`. */
import type { UploadedFile } from '../contract/parameters/file.ts'
import type { ParameterRecord } from '../contract/parameters/parameter.ts'
import { ChunkList } from '../http/chunks.ts'
import { decodeExactUtf8 } from '../http/encodings.ts'
import type { ProblemError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import type { MultipartParser, PartHead } from '../http/multipartParser.ts'
import { isParseError } from '../json-schema/parseError.ts'
import * as expectation from '../messages/expectations.ts'
import { UploadStorage } from '../uploads/uploadStorage.ts'
import { createFormError, createFormParser, createPartError, declareParts, type FormParts, FormRules } from './formRules.ts'
import { InvalidInputError } from './invalidInput.ts'

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

/** Collects the parts of one form. */
class FormCollector {
  private readonly declared: FormParts
  private readonly rules: FormRules
  private readonly storage: UploadStorage
  private readonly values = new Map<string, unknown[]>()
  private readonly invalid: ProblemError[] = []
  /** The bytes of the text that arrives. */
  private readonly chunks = new ChunkList()
  /** Where the file that arrives begins in the storage. */
  private start = 0

  constructor(declared: FormParts, storage: UploadStorage) {
    this.declared = declared
    this.rules = new FormRules(declared)
    this.storage = storage
  }

  /** @throws HttpError for a part that cannot be accepted, before its content arrives */
  beginPart(head: PartHead): void {
    this.rules.begin(head)
    this.start = this.storage.length
  }

  /** @throws HttpError 413 as soon as it is too much */
  addBytes(bytes: Uint8Array): Promise<void> | undefined {
    this.rules.add(bytes)
    const { current } = this.rules
    if (current === undefined) return undefined
    if (current.declared.limits !== undefined) return this.storage.append(bytes)
    this.chunks.push(bytes.slice())
    return undefined
  }

  endPart(): void {
    const part = this.rules.end()
    if (part === undefined) return
    const { name, head, declared } = part
    const value = declared.limits === undefined ? decodeExactUtf8(this.chunks.take()) : new StoredFile(head, this.storage, this.start)
    if (value === undefined) this.invalid.push(createPartError(name, `expected ${expectation.utf8()}`))
    const values = this.values.get(name)
    if (values === undefined) this.values.set(name, [value ?? ''])
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
export function createFormReader(parts: ParameterRecord): FormReader {
  const declared = declareParts(parts)
  return async (request, limit) => {
    const parser = createFormParser(request)
    const storage = new UploadStorage()
    try {
      const body = await collectForm(request.bodyStream(limit), parser, new FormCollector(declared, storage))
      request.onEnd(() => storage.close())
      return body
    } catch (error) {
      storage.close()
      throw error
    }
  }
}
