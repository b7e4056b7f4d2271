/** The body of a call: from `--body` and `--type` to the bytes that are sent, checked as the server will. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { toParseError } from '../../describe/conform.ts'
import { getEssences } from '../../describe/content.ts'
import { createBodyDecoders, type ToParseError } from '../../describe/decode.ts'
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import { getEssence, parseMediaType } from '../../describe/mediaType.ts'
import { getJsonSchema } from '../../describe/schema.ts'
import * as usage from '../../describe/usage.ts'
import { encodeUtf8 } from '../../describe/utf8.ts'
import { collectBytes } from '../../describe/whole.ts'
import { labelMediaType, labelMediaTypes } from '../mediaWord.ts'
import { CliError, getErrorReason } from '../mistake.ts'
import type { CliContext } from '../surroundings.ts'
import { isParseErrorLike } from './refused.ts'

/** What the command line says of the body. */
export interface BodyOptions {
  /** A text, `@` and a file, or `-`. */
  readonly body?: string
  /** A media type, or the short word for one. */
  readonly type?: string
}

/** A body with its media type, which is undefined where nobody knows it. */
export interface CallBody {
  readonly bytes: Uint8Array
  readonly type: string | undefined
}

/** The bytes that `--body` stands for. */
async function readBodyBytes(text: string, { input, cwd: folder }: CliContext): Promise<Uint8Array> {
  if (text === '-') return collectBytes(input)
  if (!text.startsWith('@')) return encodeUtf8(text)
  const file = text.slice(1)
  try {
    return await readFile(resolve(folder, file))
  } catch (error) {
    throw new CliError(2, usage.fileNotRead(file, getErrorReason(error)), { cause: error })
  }
}

/** The body for a mount, which takes anything; undefined where none is given. */
export async function readMountBody({ body, type }: BodyOptions, surroundings: CliContext): Promise<CallBody | undefined> {
  if (type !== undefined && parseMediaType(type) === undefined) throw new CliError(2, usage.invalidMediaType(type))
  return body === undefined ? undefined : { bytes: await readBodyBytes(body, surroundings), type }
}

/** Whether a media type is meant: by itself, without its parameters, or by its short word, in any case. */
const isMediaTypeNamed = (type: string, wanted: string): boolean =>
  [type, getEssence(type), labelMediaType(type)].some((name) => name.toLowerCase() === wanted.toLowerCase())

/** In the words that the server would answer with. */
const describeIssues: ToParseError = (issues, schema, value) => toParseError(issues, getJsonSchema(schema), value)

/**
 * The body for an endpoint; undefined where it takes none. It is sent exactly as it was given.
 *
 * @throws Mistake where there is none and should be, or one and should not, or its medium or its schema refuses it.
 */
export async function readEndpointBody(
  endpoint: AnyEndpoint,
  options: BodyOptions,
  surroundings: CliContext,
): Promise<CallBody | undefined> {
  const { route, body: content } = endpoint
  const { body: text, type: wanted } = options
  if (content === undefined) {
    if (text !== undefined || wanted !== undefined) throw new CliError(2, usage.unexpectedBody(route))
    return undefined
  }
  const types = content.media.flatMap((medium) => medium.types)
  const type = wanted === undefined ? types[0] : types.find((one) => isMediaTypeNamed(one, wanted))
  if (type === undefined) throw new CliError(2, usage.unsupportedBodyType(route, wanted ?? '', getEssences(content)))
  if (text === undefined) throw new CliError(2, usage.missingBody(route, labelMediaTypes(content.media)))
  const bytes = await readBodyBytes(text, surroundings)
  const read = await createBodyDecoders(content, describeIssues).get(getEssence(type))?.(bytes)
  if (!isParseErrorLike(read)) return { bytes, type }
  throw new CliError(2, read.issues.map(({ pointer, detail }) => `--body${pointer && ` ${pointer}`}: ${detail}`).join('\n'))
}
