/** The body of a call: from `--body` and `--type` to the bytes that are sent, checked as the server will. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AnyEndpoint, noContent, type ParameterInput } from 'lapidary'
import {
  collectBytes,
  createBodyDecoders,
  createCallRequest,
  encodeUtf8,
  getEssence,
  getEssences,
  getJsonSchema,
  parseMediaType,
  type ToParseError,
  toParseError,
} from 'lapidary/internal'
import * as usage from '../cliMessages.ts'
import { type CliContext, CliError, convertTypeErrors, getErrorReason } from '../context.ts'
import { readHeaderFlags } from '../credentials.ts'
import { labelMediaType, labelMediaTypes } from '../routeSummary.ts'
import { type OutgoingCall, parseBase } from './exchange.ts'
import { type CallFlag, type CallOptions, defaultBase, type ParsedCall, type RequestPart } from './flags.ts'
import { isParseErrorLike } from './response.ts'
import type { EndpointTarget, MountTarget, PathValue } from './target.ts'

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

// From the texts of paths and flags to the values that an endpoint takes, each read by its codec.

/** Values by their names, for each part of a request. */
export type CallInput = Readonly<Record<RequestPart, Readonly<Record<string, unknown>>>>

interface FlagPlace extends ParameterInput {
  /** How complaints call it: as it was written. */
  readonly label: string
}

function locateFlag({ flag, part, name }: CallFlag, told: readonly PathValue[], flags: ReadonlyMap<string, readonly string[]>): FlagPlace {
  const inPath = told.filter((one) => one.part === part && one.name === name)
  const byFlag = flags.get(flag)
  return {
    values: [...inPath.flatMap(({ text }) => (text === undefined ? [] : [text])), ...(byFlag ?? [])],
    isPresent: inPath.length > 0 || byFlag !== undefined,
    label: inPath.length > 0 && byFlag === undefined ? `${part === 'params' ? ':' : '?'}${name}` : `--${flag}`,
  }
}

/**
 * The values that the path and the flags give.
 *
 * @throws Mistake with a line for each that its codec refuses, in the codec's own words.
 */
export function readValues({ command, flags, texts }: ParsedCall, told: readonly PathValue[]): CallInput {
  const input: Record<RequestPart, Record<string, unknown>> = { params: {}, query: {}, headers: {} }
  const complaints: string[] = []
  for (const flag of flags) {
    const { label, ...given } = locateFlag(flag, told, texts)
    const value: unknown = flag.parameter.read(given)
    if (isParseErrorLike(value)) complaints.push(...value.issues.map(({ detail }) => `${label}: ${detail}`))
    else input[flag.part][flag.name] = value
  }
  if (complaints.length > 0) throw new CliError(2, [...complaints, usage.seeHelp(command)].join('\n'))
  return input
}

// Puts the request of a call together: what the endpoint asks for, where the server is, and who is calling.

type RequestHeaders = Readonly<Record<string, string>>

/** What the target itself says of a request. */
interface CallRequest {
  readonly path: string
  readonly headers: RequestHeaders
  readonly body: CallBody | undefined
}

async function buildEndpointRequest(
  { endpoint, pathValues: told }: EndpointTarget,
  parsed: ParsedCall,
  found: CliContext,
): Promise<CallRequest> {
  const values = readValues(parsed, told)
  // The body goes out as it was given, and whatever is answered is shown: neither is left to a medium.
  const bare = { ...endpoint, body: undefined, response: noContent }
  const { target, headers } = await convertTypeErrors(2, () => createCallRequest(bare, values))
  return { path: target, headers, body: await readEndpointBody(endpoint, parsed.options, found) }
}

const buildMountRequest = async ({ path }: MountTarget, options: CallOptions, found: CliContext): Promise<CallRequest> => ({
  path,
  headers: {},
  body: await readMountBody(options, found),
})

/** Header names have no case: of two alike, the later one counts. */
function mergeHeaders(...all: readonly RequestHeaders[]): RequestHeaders {
  const pairs = all.flatMap((headers) => Object.entries(headers))
  return Object.fromEntries(new Map(pairs.map((pair) => [pair[0].toLowerCase(), pair])).values())
}

const buildBodyHeaders = (body: CallBody | undefined): RequestHeaders =>
  body === undefined
    ? {}
    : { ...(body.type === undefined ? {} : { 'Content-Type': body.type }), 'Content-Length': String(body.bytes.length) }

/** A day, the most that timers are good for here. */
const maxTimeoutSeconds = 86_400

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= maxTimeoutSeconds) return seconds
  throw new CliError(2, usage.invalidTimeout(text))
}

/** The request. Everything is checked before it leaves, and before anybody is asked for a password. @throws Mistake. */
export async function buildRequest(target: EndpointTarget | MountTarget, parsed: ParsedCall, found: CliContext): Promise<OutgoingCall> {
  const { options } = parsed
  const base =
    options.base === undefined ? parseBase(found.env['LAPIDARY_BASE'] || defaultBase, 'LAPIDARY_BASE') : parseBase(options.base, '--base')
  const timeout = options.timeout === undefined ? undefined : parseSeconds(options.timeout)
  const told = await ('endpoint' in target ? buildEndpointRequest(target, parsed, found) : buildMountRequest(target, options, found))
  const headers = mergeHeaders(told.headers, buildBodyHeaders(told.body), await readHeaderFlags(options, found))
  return { base, method: target.method, target: told.path, headers, body: told.body?.bytes, timeout }
}
