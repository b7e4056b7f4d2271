/** Reads a request body: first whether its type is accepted, later the bytes, in the one medium that Content-Type named. */
import { flawsOf } from '../describe/conform.ts'
import { essencesOf } from '../describe/content.ts'
import { HttpError } from '../describe/error.ts'
import { unsupportedMediaType } from '../describe/errors.ts'
import { mediaType } from '../describe/mediaType.ts'
import type { Content } from '../describe/medium.ts'
import { memo } from '../describe/memo.ts'
import { answer } from '../describe/message.ts'
import { Refusal } from '../describe/refusal.ts'
import { jsonSchemaOf, type Verdict } from '../describe/schema.ts'
import type { Incoming } from './kernel.ts'

/** The value of a body, or a promise of it where the schema is asynchronous. */
type Decode = (bytes: Uint8Array) => unknown

/** How the bytes of this request are to be decoded. @throws HttpError 415. */
export type BodyReader = (incoming: Pick<Incoming, 'header'>) => Decode

const refused = ({ flaws }: Refusal): HttpError =>
  new HttpError(400, { detail: answer.badInput('body'), errors: flaws.map(({ pointer, detail }) => ({ in: 'body', pointer, detail })) })

/** Compiles the decoders of a content, by media type. */
function decoders({ schema, media }: Content<unknown, unknown>): ReadonlyMap<string, Decode> {
  const form = schema === undefined ? undefined : jsonSchemaOf(schema)
  const settled = (verdict: Verdict<unknown>, value: unknown): unknown => {
    if (verdict.issues === undefined) return verdict.value
    throw refused(flawsOf(verdict.issues, form ?? {}, value))
  }
  const found = new Map<string, Decode>()
  for (const { types, reader } of media) {
    const read = reader?.(form)
    if (read === undefined) continue
    const decode: Decode = (bytes) => {
      const value = read(bytes)
      if (value instanceof Refusal) throw refused(value)
      if (schema === undefined) return value
      const verdict = schema['~standard'].validate(value)
      return verdict instanceof Promise ? verdict.then((late) => settled(late, value)) : settled(verdict, value)
    }
    for (const type of types) {
      const { essence } = mediaType(type) ?? { essence: type }
      if (!found.has(essence)) found.set(essence, decode)
    }
  }
  return found
}

/** Compiles the reader of a content. */
export function bodyReader(content: Content<unknown, unknown>): BodyReader {
  const known = decoders(content)
  const accepted = essencesOf(content)
  const unsupported = (detail: string): HttpError => unsupportedMediaType({ detail, headers: { Accept: accepted.join(', ') } })
  const choose = memo((text: string): Decode | string => {
    const type = mediaType(text)
    const decode = type === undefined ? undefined : known.get(type.essence)
    if (type === undefined || decode === undefined) return answer.wrongContentType(accepted)
    const charset = type.parameters.get('charset')
    return charset === undefined || charset.toLowerCase() === 'utf-8' ? decode : answer.wrongCharset()
  })
  return (incoming) => {
    const type = incoming.header('content-type')
    if (type === undefined) throw unsupported(answer.noContentType(accepted))
    const chosen = choose(type)
    if (typeof chosen === 'string') throw unsupported(chosen)
    const encoding = incoming.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw unsupportedMediaType({ detail: answer.wrongEncoding(), headers: { 'Accept-Encoding': 'identity' } })
    }
    return chosen
  }
}
