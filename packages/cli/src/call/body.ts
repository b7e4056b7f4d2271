/** The body of a call: a text, a file or standard input as it is, or a form of its parts. */
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { AnyEndpoint, AnyParameter } from 'lapidary'
import { encodeMultipart, getFileLimits } from 'lapidary/internal'
import { guessMediaType } from 'lapidary/internal-node'
import * as messages from '../cliMessages.ts'
import { type CliContext, CliError, getErrorReason } from '../context.ts'
import { labelType } from '../routeSummary.ts'
import type { CallOptions } from './flags.ts'

type MediaType = NonNullable<AnyEndpoint['body']>['media'][number]

/** A body, and its Content-Type. */
interface CallBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
}

const multipartType = 'multipart/form-data'
const formType = 'application/x-www-form-urlencoded'

const findMultipart = ({ body }: AnyEndpoint): MediaType | undefined => body?.media.find(({ types }) => types[0] === multipartType)

/** The help for the parts of a form; empty where the endpoint takes none. */
export function formatPartHelp(endpoint: AnyEndpoint): string {
  const parts = Object.entries(findMultipart(endpoint)?.parts ?? {})
  const lines = parts.map(([name, parameter]) => {
    const { required, repeats, description = '' } = parameter
    const limits = getFileLimits(parameter)
    const type = limits === undefined ? labelType(parameter) : limits.types.join(', ')
    const notes = [type, required ? 'required' : '', repeats ? 'may be repeated' : ''].filter(Boolean).join(', ')
    return `  --form ${name}=${limits === undefined ? 'TEXT' : '@FILE'}  ${description}${description && ' '}${notes && `(${notes})`}`.trimEnd()
  })
  return lines.length === 0 ? '' : `\nParts of the form:\n${lines.join('\n')}`
}

/** Reads a file, or standard input for `-`. @throws CliError for a file that cannot be read */
async function readSource(name: string, { input, cwd }: CliContext): Promise<Uint8Array<ArrayBuffer>> {
  if (name === '-') return new Uint8Array(await buffer(input))
  const bytes = await readFile(resolve(cwd, name)).catch((error: unknown) => {
    throw new CliError(2, messages.fileNotRead(name, getErrorReason(error)), { cause: error })
  })
  return new Uint8Array(bytes)
}

/** Reads the file of a part: `@photo.png`, or `@photo.bin;type=image/png`. */
async function readFilePart(text: string, context: CliContext): Promise<File> {
  const [, name = '', type] = /^@(.*?)(?:;type=([^;]+))?$/s.exec(text) ?? []
  return new File([await readSource(name, context)], name === '-' ? 'stdin' : basename(name), {
    type: type ?? guessMediaType(name) ?? 'application/octet-stream',
  })
}

/** Splits `name=value`. @throws CliError for a part that is no pair, or that the form does not have */
function splitPart(route: string, pair: string, parts: Readonly<Record<string, AnyParameter>> | undefined): [string, string] {
  const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
  if (name === undefined || text === undefined) throw new CliError(2, messages.invalidFormPart(pair))
  if (parts !== undefined && !Object.hasOwn(parts, name)) throw new CliError(2, messages.unknownFormPart(route, name, Object.keys(parts)))
  return [name, text]
}

/** Makes a form of its parts, each as `--form` gives it. */
async function encodeForm(endpoint: AnyEndpoint, given: readonly string[], context: CliContext): Promise<CallBody> {
  const { route, body } = endpoint
  const multipart = findMultipart(endpoint)
  if (multipart === undefined) {
    if (!body?.media.some(({ types }) => types[0] === formType)) throw new CliError(2, messages.bodyIsNoForm(route))
    const pairs = given.map((pair) => splitPart(route, pair, undefined))
    return { bytes: new TextEncoder().encode(new URLSearchParams(pairs).toString()), type: formType }
  }
  const entries = await Promise.all(
    given.map(async (pair): Promise<readonly [string, string | File]> => {
      const [name, text] = splitPart(route, pair, multipart.parts)
      const parameter = multipart.parts?.[name]
      const isFile = parameter === undefined ? text.startsWith('@') : getFileLimits(parameter) !== undefined
      if (isFile && !text.startsWith('@')) throw new CliError(2, messages.expectedFilePart(name, text))
      return [name, isFile ? await readFilePart(text, context) : text]
    }),
  )
  const form = encodeMultipart(entries)
  return { bytes: new Uint8Array(await form.arrayBuffer()), type: form.type }
}

/**
 * Reads the body that the flags name. It is sent as it is: the server validates it.
 *
 * @throws CliError for a body that the endpoint does not take, and for one that is missing or cannot be read
 */
export async function readBody(endpoint: AnyEndpoint, options: CallOptions, context: CliContext): Promise<CallBody | undefined> {
  const { route, body } = endpoint
  const { body: text, form, header = [] } = options
  const flag = text === undefined ? '--form' : '--body'
  if (text !== undefined && form !== undefined) throw new CliError(2, messages.conflictingBodies())
  if (body === undefined && (text ?? form) !== undefined) throw new CliError(2, messages.unexpectedBody(route, flag))
  if (form !== undefined) return encodeForm(endpoint, form, context)
  const [type = ''] = body?.media[0]?.types ?? []
  const isForm = type === multipartType && !header.some((line) => /^content-type\s*:/i.test(line))
  if (isForm && (text !== undefined || !body?.isOptional)) throw new CliError(2, messages.missingForm(route))
  if (text === undefined) {
    if (body !== undefined && !body.isOptional) throw new CliError(2, messages.missingBody(route))
    return undefined
  }
  const file = text === '-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined
  const bytes = file === undefined ? new TextEncoder().encode(text) : await readSource(file, context)
  return { bytes, type }
}
