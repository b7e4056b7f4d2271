/** The body of a call: from `--body` and `--type` to the bytes that are sent, checked as the server will. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { flawsOf } from '../../describe/conform.ts'
import { essencesOf } from '../../describe/content.ts'
import { decoders, type Refuse } from '../../describe/decode.ts'
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import { essenceOf, mediaType } from '../../describe/mediaType.ts'
import { jsonSchemaOf } from '../../describe/schema.ts'
import * as usage from '../../describe/usage.ts'
import { utf8Encoded } from '../../describe/utf8.ts'
import { whole } from '../../describe/whole.ts'
import { mediaWord, mediaWords } from '../mediaWord.ts'
import { Mistake, reasonOf } from '../mistake.ts'
import type { Surroundings } from '../surroundings.ts'
import { isRefusal } from './refused.ts'

/** What the command line says of the body. */
export interface BodyOptions {
  /** A text, `@` and a file, or `-`. */
  readonly body?: string
  /** A media type, or the short word for one. */
  readonly type?: string
}

/** A body with its media type, which is undefined where nobody knows it. */
export interface SentBody {
  readonly bytes: Uint8Array
  readonly type: string | undefined
}

/** The bytes that `--body` stands for. */
async function bytesOf(text: string, { input, folder }: Surroundings): Promise<Uint8Array> {
  if (text === '-') return whole(input)
  if (!text.startsWith('@')) return utf8Encoded(text)
  const file = text.slice(1)
  try {
    return await readFile(resolve(folder, file))
  } catch (error) {
    throw new Mistake(2, usage.notRead(file, reasonOf(error)), { cause: error })
  }
}

/** The body for a mount, which takes anything; undefined where none is given. */
export async function anyBody({ body, type }: BodyOptions, surroundings: Surroundings): Promise<SentBody | undefined> {
  if (type !== undefined && mediaType(type) === undefined) throw new Mistake(2, usage.mountType(type))
  return body === undefined ? undefined : { bytes: await bytesOf(body, surroundings), type }
}

/** Whether a media type is meant: by itself, without its parameters, or by its short word, in any case. */
const isCalled = (type: string, wanted: string): boolean =>
  [type, essenceOf(type), mediaWord(type)].some((name) => name.toLowerCase() === wanted.toLowerCase())

/** In the words that the server would answer with. */
const refuse: Refuse = (issues, schema, value) => flawsOf(issues, jsonSchemaOf(schema), value)

/**
 * The body for an endpoint; undefined where it takes none. It is sent exactly as it was given.
 *
 * @throws Mistake where there is none and should be, or one and should not, or its medium or its schema refuses it.
 */
export async function bodyFor(endpoint: AnyEndpoint, options: BodyOptions, surroundings: Surroundings): Promise<SentBody | undefined> {
  const { route, body: content } = endpoint
  const { body: text, type: wanted } = options
  if (content === undefined) {
    if (text !== undefined || wanted !== undefined) throw new Mistake(2, usage.noBody(route))
    return undefined
  }
  const types = content.media.flatMap((medium) => medium.types)
  const type = wanted === undefined ? types[0] : types.find((one) => isCalled(one, wanted))
  if (type === undefined) throw new Mistake(2, usage.bodyType(route, wanted ?? '', essencesOf(content)))
  if (text === undefined) throw new Mistake(2, usage.bodyNeeded(route, mediaWords(content.media)))
  const bytes = await bytesOf(text, surroundings)
  const read = await decoders(content, refuse).get(essenceOf(type))?.(bytes)
  if (!isRefusal(read)) return { bytes, type }
  throw new Mistake(2, read.flaws.map(({ pointer, detail }) => `--body${pointer && ` ${pointer}`}: ${detail}`).join('\n'))
}
