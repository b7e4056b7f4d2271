/** Reads a request body: first whether its type is accepted, later the bytes, in the one medium that Content-Type named. */

import { createBodyDecoders, type DecodeBody, isUtf8Charset, type ToParseError } from '../contract/bodyDecoders.ts'
import { getEssences } from '../contract/media/content.ts'
import type { Content } from '../contract/media/mediaType.ts'
import { errors } from '../http/errors.ts'
import { HttpError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { parseMediaType } from '../http/mediaTypeParser.ts'
import { memoize } from '../http/memoize.ts'
import type { ProblemError } from '../http/problemDetails.ts'
import { isPromise } from '../http/promises.ts'
import { createEarlyRejecter } from '../json-schema/earlyRejection.ts'
import { addErrorPointer } from '../json-schema/locateJsonError.ts'
import { countOmittedIssues, isParseError, limitErrors } from '../json-schema/parseError.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import { toParseError } from '../json-schema/validate.ts'
import { problemDetail } from '../messages/problemMessages.ts'

// The error of a request of which a part cannot be read.

/** 400, with the first of what is wrong. Apart from what handlers raise, which is sent exactly as they raised it. */
export class InvalidInputError extends HttpError<400> {
  readonly more: number | undefined

  /** `more`: how many were found besides. */
  constructor(part: 'query' | 'header' | 'body', all: readonly ProblemError[], found = 0) {
    const { errors, more } = limitErrors(all, found)
    super(400, { detail: problemDetail.badInput(part), errors })
    this.more = more
  }
}

/** The value of a body, or a promise of it where the schema is asynchronous. @throws HttpError 400. */
type BodyDecoder = (bytes: Uint8Array) => unknown

/** How the bytes of this request are to be decoded. @throws HttpError 415. */
export type BodyReader = (incoming: Pick<HttpRequest, 'header'>) => BodyDecoder

function bodyOrThrow(value: unknown): unknown {
  if (!isParseError(value)) return value
  const errors = value.issues.map(({ pointer, detail }) => ({ in: 'body', pointer, detail }) as const)
  throw new InvalidInputError('body', errors, countOmittedIssues(value))
}

const createBodyDecoder =
  (decode: DecodeBody): BodyDecoder =>
  (bytes) => {
    const value = decode(bytes)
    return isPromise(value) ? Promise.resolve(value).then(bodyOrThrow) : bodyOrThrow(value)
  }

/** What a schema complains of, in the toolkit's own words where its form tells them. */
const toInputIssues: ToParseError = (issues, schema, value) => toParseError(issues, getJsonSchema(schema), value)

/** The same content, whose readers say where it is that they could not read, and refuse early what is wrong all over. */
function addEarlyRefusal({ schema, media }: Content<unknown, unknown>): Content<unknown, unknown> {
  const early = schema === undefined ? (value: unknown) => value : createEarlyRejecter(schema)
  return {
    schema,
    media: media.map(({ reader, ...medium }) => {
      if (reader === undefined) return medium
      return {
        ...medium,
        reader: (form) => {
          const read = reader(form)
          return (bytes) => early(addErrorPointer(read(bytes)), bytes.length)
        },
      }
    }),
  }
}

/** Compiles the reader of a content. */
export function createBodyReader(content: Content<unknown, unknown>): BodyReader {
  const known = new Map(
    [...createBodyDecoders(addEarlyRefusal(content), toInputIssues)].map(([type, decode]) => [type, createBodyDecoder(decode)]),
  )
  const types = getEssences(content)
  const unsupported = (detail: string): HttpError => errors.unsupportedMediaType({ detail, headers: { Accept: types.join(', ') } })
  const choose = memoize((text: string): BodyDecoder | string => {
    const type = parseMediaType(text)
    const decode = type === undefined ? undefined : known.get(type.essence)
    if (type === undefined || decode === undefined) return problemDetail.wrongContentType(types)
    return isUtf8Charset(type) ? decode : problemDetail.wrongCharset()
  })
  return (incoming) => {
    const type = incoming.header('content-type')
    if (type === undefined) throw unsupported(problemDetail.noContentType(types))
    const chosen = choose(type)
    if (typeof chosen === 'string') throw unsupported(chosen)
    const encoding = incoming.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw errors.unsupportedMediaType({ detail: problemDetail.wrongEncoding(), headers: { 'Accept-Encoding': 'identity' } })
    }
    return chosen
  }
}
