/** Reads a request body: first checks its media type, then decodes its bytes, as a whole or while they arrive. */
import { createBodyDecoders, createItemValidator, type DecodeBody, isUtf8Charset } from '../contract/bodyDecoders.ts'
import { getEssences } from '../contract/media/content.ts'
import type { Content } from '../contract/media/mediaType.ts'
import { toolkitErrors } from '../http/errors.ts'
import type { HttpError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { getEssence, parseMediaType } from '../http/mediaTypes.ts'
import { memoize } from '../http/memoize.ts'
import { type Awaitable, andThen } from '../http/promises.ts'
import { toParseError } from '../json-schema/invalidPlaces.ts'
import { addErrorPointer } from '../json-schema/locateJsonError.ts'
import { countOmittedIssues, isParseError } from '../json-schema/parseError.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { InvalidInputError } from './invalidInput.ts'
import { createFormReader } from './readMultipart.ts'
import { createPartReader } from './streamMultipart.ts'

/** Reads the body of a request in two steps, so that the request waits once. */
export type BodyReader = WholeBodyReader | ArrivingBodyReader

/** Of a body that is decoded as a whole. */
interface WholeBodyReader {
  /** @throws HttpError 400, 413 */
  readonly receive: (request: HttpRequest, limit: number) => Promise<Uint8Array>
  /** @throws HttpError 400 */
  readonly decode: (bytes: Uint8Array) => Awaitable<unknown>
}

/** Of a body that is decoded while it arrives: the values of a stream, before its first byte, or a form. */
interface ArrivingBodyReader {
  /** @throws HttpError 400, 413 */
  readonly receive: (request: HttpRequest, limit: number) => Awaitable<unknown>
  readonly decode?: undefined
}

/** Selects the reader for the body of a request, by its Content-Type. @throws HttpError 415 */
type BodyReaderSelector = (request: Pick<HttpRequest, 'header'>) => BodyReader

/** @param line the line of the body that has the value, where each line has one */
function requireValidBody(value: unknown, line?: number): unknown {
  if (!isParseError(value)) return value
  const errors = value.issues.map((issue) => ({ in: 'body', ...issue }) as const)
  throw new InvalidInputError('body', errors, countOmittedIssues(value), line === undefined ? undefined : problemDetail.badLine(line))
}

const receiveBytes: WholeBodyReader['receive'] = (request, limit) => request.body(limit)

/** Compiles the reader of a body that is decoded as a whole. */
const createWholeReader = (decode: DecodeBody): BodyReader => ({
  receive: receiveBytes,
  decode: (bytes) => andThen(decode(bytes), requireValidBody),
})

/** The same, for a body that is absent where it has no bytes. */
function createOptionalReader(decode: DecodeBody): BodyReader {
  const read = (bytes: Uint8Array): unknown => (bytes.length === 0 ? undefined : decode(bytes))
  return createWholeReader(read)
}

/** The media types that encode no value without a byte: JSON, and neither a text nor a form. */
function listTypesWithoutEmptyValue({ schema, media }: Content<unknown, unknown>): ReadonlySet<string> {
  const jsonSchema = schema === undefined ? undefined : getJsonSchema(schema)
  const isReadable = ({ reader }: (typeof media)[number]): boolean => !isParseError(reader?.(jsonSchema)(new Uint8Array()))
  return new Set(getEssences({ media: media.filter((mediaType) => !isReadable(mediaType)) }))
}

type StreamReader = ReturnType<NonNullable<Content<unknown, unknown>['media'][number]['streamReader']>>

/** The values of a stream, each validated when the handler asks for it. @throws HttpError 400 for one that is invalid. */
async function* readItems(values: AsyncIterable<unknown>, validate: (value: unknown) => unknown): AsyncGenerator<unknown, void, undefined> {
  let line = 0
  for await (const value of values) {
    line += 1
    yield requireValidBody(await validate(isParseError(value) ? addErrorPointer(value) : value), line)
  }
}

/** Compiles the reader of a body whose values are read while it arrives. */
const createItemReader = (read: StreamReader, schema: Content<unknown, unknown>['schema']): BodyReader => ({
  receive: (request, limit) => {
    const values = read(request.bodyStream(limit), true)
    return schema === undefined ? values : readItems(values, createItemValidator(schema, toParseError))
  },
})

/** Returns the same content; its readers locate what they cannot read. */
function addErrorPointers({ schema, media }: Content<unknown, unknown>): Content<unknown, unknown> {
  return {
    schema,
    media: media.map(({ reader, ...mediaType }) => {
      if (reader === undefined) return mediaType
      return {
        ...mediaType,
        reader: (jsonSchema) => {
          const read = reader(jsonSchema)
          return (bytes) => addErrorPointer(read(bytes))
        },
      }
    }),
  }
}

/** Compiles the readers of a content, by media type without parameters. */
function createBodyReaders(content: Content<unknown, unknown>): ReadonlyMap<string, BodyReader> {
  const { schema, media, isOptional } = content
  const absentTypes = isOptional ? listTypesWithoutEmptyValue(content) : new Set()
  const readers = new Map<string, BodyReader>(
    [...createBodyDecoders(addErrorPointers(content), toParseError)].map(([type, decode]) => [
      type,
      absentTypes.has(type) ? createOptionalReader(decode) : createWholeReader(decode),
    ]),
  )
  const jsonSchema = schema === undefined ? undefined : getJsonSchema(schema)
  for (const { types, streamReader, parts, isPartStream } of media) {
    const read =
      parts !== undefined
        ? { receive: isPartStream ? createPartReader(parts) : createFormReader(parts) }
        : streamReader && createItemReader(streamReader(jsonSchema), schema)
    if (read !== undefined) for (const type of types) readers.set(getEssence(type), read)
  }
  return readers
}

/** Compiles the readers of a content, and the selection among them. */
export function createBodyReaderSelector(content: Content<unknown, unknown>): BodyReaderSelector {
  const readers = createBodyReaders(content)
  const types = getEssences(content)
  const createUnsupported = (detail: string): HttpError =>
    toolkitErrors.unsupportedMediaType({ detail, headers: { Accept: types.join(', ') } })
  const selectReader = memoize((contentType: string): BodyReader | string => {
    const type = parseMediaType(contentType)
    const reader = type === undefined ? undefined : readers.get(type.essence)
    if (type === undefined || reader === undefined) return problemDetail.wrongContentType(types)
    return isUtf8Charset(type) ? reader : problemDetail.wrongCharset()
  })
  /** Reads a body without a Content-Type, which has to be empty. Its length need not be known before. */
  const absentReader: BodyReader = {
    receive: receiveBytes,
    decode: (bytes) => {
      if (bytes.length > 0) throw createUnsupported(problemDetail.noContentType(types))
    },
  }
  return (request) => {
    const contentType = request.header('content-type')
    if (contentType === undefined && content.isOptional && Number(request.header('content-length') ?? 0) === 0) return absentReader
    if (contentType === undefined) throw createUnsupported(problemDetail.noContentType(types))
    const reader = selectReader(contentType)
    if (typeof reader === 'string') throw createUnsupported(reader)
    const encoding = request.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw toolkitErrors.unsupportedMediaType({ detail: problemDetail.wrongEncoding(), headers: { 'Accept-Encoding': 'identity' } })
    }
    return reader
  }
}
