/** Reads a request body: first whether its type is accepted, later the bytes, in the one medium that Content-Type named. */
import { createBodyDecoders, isUtf8Charset } from '../contract/bodyDecoders.js'
import { getEssences } from '../contract/media/content.js'
import { BadRequest, unsupportedMediaType } from '../http/httpError.js'
import { parseMediaType } from '../http/mediaTypeParser.js'
import { memoize } from '../http/memoize.js'
import { isPromise } from '../http/promises.js'
import { createEarlyRejecter } from '../json-schema/earlyRejection.js'
import { addErrorPointer } from '../json-schema/locateJsonError.js'
import { countOmittedIssues, limitErrors, ParseError } from '../json-schema/parseError.js'
import { getJsonSchema } from '../json-schema/standardSchema.js'
import { toParseError } from '../json-schema/validate.js'
import { problemDetail } from '../messages/problemMessages.js'
// The error of a request of which a part cannot be read.
/** 400, with the first of what is wrong. Apart from what handlers raise, which is sent exactly as they raised it. */
export class InvalidInputError extends BadRequest {
  more
  /** `more`: how many were found besides. */
  constructor(part, all, found = 0) {
    const { errors, more } = limitErrors(all, found)
    super({ detail: problemDetail.badInput(part), errors })
    this.more = more
  }
}
function bodyOrThrow(value) {
  if (!(value instanceof ParseError)) return value
  const errors = value.issues.map(({ pointer, detail }) => ({ in: 'body', pointer, detail }))
  throw new InvalidInputError('body', errors, countOmittedIssues(value))
}
const createBodyDecoder = (decode) => (bytes) => {
  const value = decode(bytes)
  return isPromise(value) ? Promise.resolve(value).then(bodyOrThrow) : bodyOrThrow(value)
}
/** What a schema complains of, in the toolkit's own words where its form tells them. */
const toInputIssues = (issues, schema, value) => toParseError(issues, getJsonSchema(schema), value)
/** The same content, whose readers say where it is that they could not read, and refuse early what is wrong all over. */
function addEarlyRefusal({ schema, media }) {
  const early = schema === undefined ? (value) => value : createEarlyRejecter(schema)
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
export function createBodyReader(content) {
  const known = new Map(
    [...createBodyDecoders(addEarlyRefusal(content), toInputIssues)].map(([type, decode]) => [type, createBodyDecoder(decode)]),
  )
  const types = getEssences(content)
  const unsupported = (detail) => unsupportedMediaType({ detail, headers: { Accept: types.join(', ') } })
  const choose = memoize((text) => {
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
      throw unsupportedMediaType({ detail: problemDetail.wrongEncoding(), headers: { 'Accept-Encoding': 'identity' } })
    }
    return chosen
  }
}
