/** Reads a request body: first checks its media type, then decodes its bytes. */
import { createBodyDecoders, type DecodeBody, isUtf8Charset } from '../contract/bodyDecoders.ts'
import { getEssences } from '../contract/media/content.ts'
import type { Content } from '../contract/media/mediaType.ts'
import { errors } from '../http/errors.ts'
import { HttpError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { parseMediaType } from '../http/mediaTypeParser.ts'
import { memoize } from '../http/memoize.ts'
import type { ProblemError } from '../http/problemDetails.ts'
import { andThen } from '../http/promises.ts'
import { createEarlyRejecter } from '../json-schema/earlyRejection.ts'
import { addErrorPointer } from '../json-schema/locateJsonError.ts'
import { countOmittedIssues, isParseError } from '../json-schema/parseError.ts'
import { toParseError } from '../json-schema/validate.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { limitErrors } from './limitErrors.ts'

/**
 * 400 for input that cannot be read, with the first errors. An HttpError of a handler is another class: it is sent exactly as it was
 * thrown.
 */
export class InvalidInputError extends HttpError<400> {
  readonly more: number | undefined

  /** @param omitted how many errors there are besides `all` */
  constructor(part: 'query' | 'header' | 'body', all: readonly ProblemError[], omitted = 0) {
    const { errors, more } = limitErrors(all, omitted)
    super(400, { detail: problemDetail.badInput(part), errors })
    this.more = more
  }
}

/** Decodes a body; gives a promise if the schema is asynchronous. @throws HttpError 400 */
type BodyDecoder = (bytes: Uint8Array) => unknown

/** Selects the decoder for the body of a request, by its Content-Type. @throws HttpError 415 */
export type BodyDecoderSelector = (request: Pick<HttpRequest, 'header'>) => BodyDecoder

function requireValidBody(value: unknown): unknown {
  if (!isParseError(value)) return value
  const errors = value.issues.map(({ pointer, detail }) => ({ in: 'body', pointer, detail }) as const)
  throw new InvalidInputError('body', errors, countOmittedIssues(value))
}

const createBodyDecoder =
  (decode: DecodeBody): BodyDecoder =>
  (bytes) =>
    andThen(decode(bytes), requireValidBody)

/** Returns the same content; its readers locate what they cannot read, and reject early a large body that is wrong throughout. */
function addEarlyRejection({ schema, media }: Content<unknown, unknown>): Content<unknown, unknown> {
  const rejectEarly = schema === undefined ? (value: unknown) => value : createEarlyRejecter(schema)
  return {
    schema,
    media: media.map(({ reader, ...mediaType }) => {
      if (reader === undefined) return mediaType
      return {
        ...mediaType,
        reader: (jsonSchema) => {
          const read = reader(jsonSchema)
          return (bytes) => rejectEarly(addErrorPointer(read(bytes)), bytes.length)
        },
      }
    }),
  }
}

/** Compiles the decoders of a content, and the selection among them. */
export function createBodyDecoderSelector(content: Content<unknown, unknown>): BodyDecoderSelector {
  const decoders = new Map(
    [...createBodyDecoders(addEarlyRejection(content), toParseError)].map(([type, decode]) => [type, createBodyDecoder(decode)]),
  )
  const types = getEssences(content)
  const createUnsupported = (detail: string): HttpError => errors.unsupportedMediaType({ detail, headers: { Accept: types.join(', ') } })
  const selectDecoder = memoize((contentType: string): BodyDecoder | string => {
    const type = parseMediaType(contentType)
    const decoder = type === undefined ? undefined : decoders.get(type.essence)
    if (type === undefined || decoder === undefined) return problemDetail.wrongContentType(types)
    return isUtf8Charset(type) ? decoder : problemDetail.wrongCharset()
  })
  return (request) => {
    const contentType = request.header('content-type')
    if (contentType === undefined) throw createUnsupported(problemDetail.noContentType(types))
    const decoder = selectDecoder(contentType)
    if (typeof decoder === 'string') throw createUnsupported(decoder)
    const encoding = request.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw errors.unsupportedMediaType({ detail: problemDetail.wrongEncoding(), headers: { 'Accept-Encoding': 'identity' } })
    }
    return decoder
  }
}
