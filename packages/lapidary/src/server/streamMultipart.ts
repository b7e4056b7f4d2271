/** Reads a form of `multipartStream` part by part, while it arrives: at most a chunk of it and one of its texts are in memory. */
import type { FormPart } from '../contract/media/multipart.ts'
import type { StreamedFile } from '../contract/parameters/file.ts'
import { getListItem, type ParameterRecord } from '../contract/parameters/parameter.ts'
import { ChunkList } from '../http/chunks.ts'
import { decodeExactUtf8 } from '../http/encodings.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import type { MultipartEvent, MultipartParser } from '../http/multipartParser.ts'
import { isParseError } from '../json-schema/parseError.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as expectation from '../messages/expectations.ts'
import {
  type CurrentPart,
  createFormError,
  createFormParser,
  createPartError,
  declareParts,
  type FormParts,
  FormRules,
} from './formRules.ts'
import { InvalidInputError } from './invalidInput.ts'

type FormEvent = Exclude<MultipartEvent, { readonly kind: 'error' }>

/** The events of one form, which its parts and the file of the current part read by turns. */
class FormEvents {
  readonly rules: FormRules
  private readonly events: AsyncGenerator<FormEvent, void, undefined>
  private failure: { readonly error: unknown } | undefined = undefined

  constructor(chunks: AsyncIterable<Uint8Array>, parser: MultipartParser, rules: FormRules) {
    this.rules = rules
    this.events = this.readEvents(chunks, parser)
  }

  /** The next event; undefined after the last one. A form that has failed once fails for every reader. */
  async next(): Promise<FormEvent | undefined> {
    if (this.failure !== undefined) throw this.failure.error
    try {
      return (await this.events.next()).value ?? undefined
    } catch (error) {
      this.failure ??= { error }
      throw error
    }
  }

  /** Drops the rest of the body. */
  async close(): Promise<void> {
    await this.events.return()
  }

  private async *readEvents(chunks: AsyncIterable<Uint8Array>, parser: MultipartParser): AsyncGenerator<FormEvent, void, undefined> {
    for await (const chunk of chunks) yield* this.check(parser.push(chunk))
    yield* this.check(parser.finish())
  }

  /** The same events, as far as the rules allow them. Bytes that are not read count as well. */
  private *check(events: Iterable<MultipartEvent>): Generator<FormEvent, void, undefined> {
    for (const event of events) {
      if (event.kind === 'error') throw createFormError(event.expected)
      if (event.kind === 'part') this.rules.begin(event.head)
      else if (event.kind === 'data') this.rules.add(event.bytes)
      else this.rules.end()
      yield event
    }
  }
}

/** The file of the current part. */
class ArrivingFile implements StreamedFile {
  readonly name: string
  readonly type: string
  private readonly partName: string
  private readonly events: FormEvents
  private readonly chunks: AsyncGenerator<Uint8Array, void, undefined>
  private isEnded = false
  private isPassed = false

  /** @param first the bytes that had to arrive before the part was known to be a file */
  constructor({ name, head: { fileName = '', type = '' } }: CurrentPart, events: FormEvents, first: Uint8Array | undefined) {
    this.name = fileName
    this.type = type
    this.partName = name
    this.events = events
    this.chunks = this.readChunks(first)
  }

  /** @throws TypeError for a file that was read already */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.isEnded) throw new TypeError(developerErrors.fileReadTwice(this.partName))
    return this.chunks
  }

  /** The next part is asked for: the file can no longer be read. */
  pass(): void {
    this.isPassed = true
  }

  private async *readChunks(first: Uint8Array | undefined): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      this.requireCurrent()
      if (first !== undefined) yield first
      for (;;) {
        this.requireCurrent()
        const event = await this.events.next()
        if (event?.kind !== 'data') return
        yield event.bytes
      }
    } finally {
      this.isEnded = true
    }
  }

  /** @throws TypeError where the bytes that arrive are those of another part */
  private requireCurrent(): void {
    if (this.isPassed) throw new TypeError(developerErrors.filePassed(this.partName))
  }
}

/** The value of a text. @throws HttpError 400 */
function readPartValue({ name, declared: { parameter } }: CurrentPart, bytes: Uint8Array, count: number): unknown {
  const text = decodeExactUtf8(bytes)
  if (text === undefined) throw new InvalidInputError('body', [createPartError(name, `expected ${expectation.utf8()}`)])
  const { minItems = 0, maxItems } = parameter.jsonSchema
  if (parameter.repeats && count > (maxItems ?? count))
    throw new InvalidInputError('body', [createPartError(name, `expected ${expectation.items(minItems, maxItems, count)}`)])
  const value: unknown = (getListItem(parameter) ?? parameter).read({ values: [text], isPresent: true })
  if (!isParseError(value)) return value
  throw new InvalidInputError(
    'body',
    value.issues.map(({ detail }) => createPartError(name, detail)),
  )
}

/** @throws HttpError 400 with all parts that are missing */
function checkMissingParts(declared: FormParts, rules: FormRules): void {
  const missing = [...declared].flatMap(([name, { parameter, limits }]) => {
    const count = rules.getCount(name)
    const { minItems = 0, maxItems } = parameter.jsonSchema
    if (parameter.repeats)
      return count < (parameter.required || count > 0 ? minItems : 0)
        ? [createPartError(name, `expected ${expectation.items(minItems, maxItems, count)}`)]
        : []
    if (!parameter.required || count > 0) return []
    return [createPartError(name, `expected ${limits === undefined ? expectation.present() : expectation.aFile()}`)]
  })
  if (missing.length > 0) throw new InvalidInputError('body', missing)
}

type AnyFormPart = FormPart<ParameterRecord>

/** The parts of a form. @throws HttpError 400, 413, 415 */
async function* readParts(events: FormEvents, declared: FormParts): AsyncGenerator<AnyFormPart, void, undefined> {
  const { rules } = events
  let file: ArrivingFile | undefined
  try {
    for (let event = await events.next(); event !== undefined; event = await events.next()) {
      const { current } = rules
      // What is left of the part before, and parts that are dropped.
      if (event.kind !== 'part' || current === undefined) continue
      if (current.declared.limits === undefined) {
        const text = new ChunkList()
        for (let more = await events.next(); more?.kind === 'data'; more = await events.next()) text.push(more.bytes.slice())
        yield { name: current.name, value: readPartValue(current, text.take(), rules.getCount(current.name)) }
        continue
      }
      // The field of a browser's form without a file has neither a name nor bytes.
      const first = current.head.fileName === '' ? await events.next() : undefined
      if (first?.kind === 'partEnd') continue
      file = new ArrivingFile(current, events, first?.kind === 'data' ? first.bytes : undefined)
      yield { name: current.name, file }
      file.pass()
    }
    checkMissingParts(declared, rules)
  } finally {
    file?.pass()
    await events.close()
  }
}

/** Compiles the reader of the parts of a form. */
export function createPartReader(parts: ParameterRecord): (request: HttpRequest, limit: number) => AsyncIterable<AnyFormPart> {
  const declared = declareParts(parts)
  return (request, limit) => {
    const parser = createFormParser(request)
    return readParts(new FormEvents(request.bodyStream(limit), parser, new FormRules(declared)), declared)
  }
}
