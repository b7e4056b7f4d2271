/** Reads colours from a file: an array in JSON, or one JSON object per line. */

import { createReadStream, type Stats, statSync } from 'node:fs'
import { z } from 'zod'
import { Color } from '../api/colors.ts'
import { CommandError } from '../command.ts'
import { toHex } from '../store/seeds.ts'
import { showProgress } from './progress.ts'

/** An item of the file: a value, or the reason why there is none. `place` is `line 7` or `item 7`, from 1. */
export type Item = { readonly place: string; readonly value: unknown } | { readonly place: string; readonly problem: string }

/** The longest line in bytes. */
const maxLine = 65_536
/** The largest array in bytes. It is held in memory. */
const maxArray = 100_000_000

const lineHint = 'If it holds one colour a line, name it with .ndjson at its end.'

/** The message of a JSON error on one line. */
const jsonProblem = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replace(/\p{Cc}+/gu, ' ')

function decodeUtf8(bytes: Uint8Array, ignoreBOM: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes)
  } catch (error) {
    throw new SyntaxError('it is not UTF-8', { cause: error })
  }
}

/** Splits a stream into lines. A line longer than `maxLine` is `undefined`. The last line needs no line feed. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly (Buffer | undefined)[]> {
  let rest: Buffer | undefined = Buffer.alloc(0)
  const append = (begun: Buffer | undefined, more: Buffer): Buffer | undefined =>
    begun === undefined || begun.length + more.length > maxLine ? undefined : Buffer.concat([begun, more])
  for await (const chunk of chunks) {
    const lines: (Buffer | undefined)[] = []
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      lines.push(append(rest, chunk.subarray(start, end)))
      rest = Buffer.alloc(0)
      start = end + 1
    }
    rest = append(rest, chunk.subarray(start))
    yield lines
  }
  if (rest?.length !== 0) yield [rest]
}

function parseLine(line: Buffer | undefined, number: number): Item | undefined {
  const place = `line ${number}`
  if (line === undefined) return { place, problem: `expected at most ${maxLine} bytes` }
  try {
    // A byte order mark may begin the file, but no other line.
    const text = decodeUtf8(line, number > 1)
    return text.trim() === '' ? undefined : { place, value: JSON.parse(text) }
  } catch (error) {
    return { place, problem: `expected JSON: ${jsonProblem(error)}` }
  }
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Item[]> {
  let number = 0
  for await (const lines of splitLines(chunks)) {
    yield lines.flatMap((line) => {
      number += 1
      return parseLine(line, number) ?? []
    })
  }
}

async function* readArray(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Item[]> {
  const all: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    all.push(chunk)
    size += chunk.length
    if (size > maxArray)
      throw new CommandError(`${path} is too large for one array. Write one colour a line, and name it with .ndjson at its end.`)
  }
  let value: unknown
  try {
    value = JSON.parse(decodeUtf8(Buffer.concat(all), false))
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${jsonProblem(error)}. ${lineHint}`)
  }
  if (!Array.isArray(value)) throw new CommandError(`${path} is not an array of colours. ${lineHint}`)
  // In batches, so that signals are handled in between.
  for (let start = 0; start < value.length; start += 1000) {
    yield value.slice(start, start + 1000).map((item: unknown, index) => ({ place: `item ${start + index + 1}`, value: item }))
  }
}

/** Why a file cannot be read, as the end of the sentence "Cannot read X: …". */
const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'it is not ours to read',
  EISDIR: 'it is a folder',
}

function readError(path: string, error: unknown): unknown {
  if (error instanceof CommandError || !(error instanceof Error && 'code' in error)) return error
  return new CommandError(`Cannot read ${path}: ${readReasons[String(error.code)] ?? error.message}.`, { cause: error })
}

/**
 * Reads the items of the file in batches: one per line if its name ends in .ndjson or .jsonl, else those of an array. Throws
 * `CommandError`.
 */
export async function* readItems(path: string): AsyncGenerator<readonly Item[]> {
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    throw readError(path, error)
  }
  const progress = showProgress('Reading', 'bytes', 0, stats.size)
  async function* chunks(): AsyncGenerator<Buffer> {
    let size = 0
    for await (const chunk of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
      yield chunk
      size += chunk.length
      progress.update(size)
    }
  }
  try {
    yield* /\.(ndjson|jsonl)$/i.test(path) ? readLines(chunks()) : readArray(path, chunks())
  } catch (error) {
    throw readError(path, error)
  } finally {
    progress.end()
  }
}

/** The longest name in characters. It fits into an index of every database. */
const maxName = 255

const isName = (text: string): boolean =>
  text !== '' && [...text.slice(0, 2 * maxName + 1)].length <= maxName && text.isWellFormed() && !/\p{Cc}/u.test(text)

const nameError = `expected a text of 1 to ${maxName} characters without control characters`
const componentError = 'expected a whole number from 0 to 255'
const rgbError = 'expected the three components red, green and blue'
const component = z.int({ error: componentError }).min(0, componentError).max(255, componentError)

const FileColor = Color.extend({
  name: z.string({ error: nameError }).refine(isName, nameError),
  rgb: z.tuple([component, component, component], { error: rgbError }).readonly(),
  hex: z.string({ error: 'expected a text such as #ff7f50, or nothing' }).optional(),
})

/** A value in a message: at most 60 characters of it. */
function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The value at a path of zod. Only its last key may be missing. */
const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Readonly<Record<PropertyKey, unknown>>)[key], value)

/** The colour, or its problems: the JSON pointer, what was expected, what was found. */
export function parseColor(value: unknown): Color | readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`expected an object, got ${quoteValue(value)}`]
  const { data, error } = FileColor.safeParse(value)
  if (data === undefined)
    return error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}, got ${quoteValue(valueAt(value, path))}`)
  const { name, rgb } = data
  const hex = toHex(rgb)
  const agrees = data.hex === undefined || data.hex.toLowerCase() === hex
  return agrees ? { name, rgb, hex } : [`/hex: expected ${hex}, as rgb says, got ${quoteValue(data.hex)}`]
}
