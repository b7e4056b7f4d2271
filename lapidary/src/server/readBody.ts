/** Reads a request body: first whether its type is accepted, later the bytes, in the one medium that Content-Type named. */
import { flawsOf } from '../describe/conform.ts'
import { essencesOf } from '../describe/content.ts'
import { type Decode, decoders, isUtf8, type Refuse } from '../describe/decode.ts'
import type { HttpError } from '../describe/error.ts'
import { unsupportedMediaType } from '../describe/errors.ts'
import { withPlace } from '../describe/jsonPlace.ts'
import { mediaType } from '../describe/mediaType.ts'
import type { Content } from '../describe/medium.ts'
import { memo } from '../describe/memo.ts'
import { answer } from '../describe/message.ts'
import { Refusal } from '../describe/refusal.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { moreThan } from '../describe/shortened.ts'
import { BadInput } from './badInput.ts'
import { earlyRefuser } from './earlyRefusal.ts'
import type { Incoming } from './kernel.ts'
import { isPromise } from './promise.ts'

/** The value of a body, or a promise of it where the schema is asynchronous. @throws HttpError 400. */
type Read = (bytes: Uint8Array) => unknown

/** How the bytes of this request are to be decoded. @throws HttpError 415. */
export type BodyReader = (incoming: Pick<Incoming, 'header'>) => Read

function accepted(value: unknown): unknown {
  if (!(value instanceof Refusal)) return value
  const errors = value.flaws.map(({ pointer, detail }) => ({ in: 'body', pointer, detail }) as const)
  throw new BadInput('body', errors, moreThan(value))
}

const reading =
  (decode: Decode): Read =>
  (bytes) => {
    const value = decode(bytes)
    return isPromise(value) ? Promise.resolve(value).then(accepted) : accepted(value)
  }

/** What a schema complains of, in the toolkit's own words where its form tells them. */
const inOurWords: Refuse = (issues, schema, value) => flawsOf(issues, jsonSchemaOf(schema), value)

/** The same content, whose readers say where it is that they could not read, and refuse early what is wrong all over. */
function guardReaders({ schema, media }: Content<unknown, unknown>): Content<unknown, unknown> {
  const early = schema === undefined ? (value: unknown) => value : earlyRefuser(schema)
  return {
    schema,
    media: media.map(({ reader, ...medium }) => {
      if (reader === undefined) return medium
      return {
        ...medium,
        reader: (form) => {
          const read = reader(form)
          return (bytes) => early(withPlace(read(bytes)), bytes.length)
        },
      }
    }),
  }
}

/** Compiles the reader of a content. */
export function bodyReader(content: Content<unknown, unknown>): BodyReader {
  const known = new Map([...decoders(guardReaders(content), inOurWords)].map(([type, decode]) => [type, reading(decode)]))
  const types = essencesOf(content)
  const unsupported = (detail: string): HttpError => unsupportedMediaType({ detail, headers: { Accept: types.join(', ') } })
  const choose = memo((text: string): Read | string => {
    const type = mediaType(text)
    const decode = type === undefined ? undefined : known.get(type.essence)
    if (type === undefined || decode === undefined) return answer.wrongContentType(types)
    return isUtf8(type) ? decode : answer.wrongCharset()
  })
  return (incoming) => {
    const type = incoming.header('content-type')
    if (type === undefined) throw unsupported(answer.noContentType(types))
    const chosen = choose(type)
    if (typeof chosen === 'string') throw unsupported(chosen)
    const encoding = incoming.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw unsupportedMediaType({ detail: answer.wrongEncoding(), headers: { 'Accept-Encoding': 'identity' } })
    }
    return chosen
  }
}
