/** Reads the items of a file: an array of JSON, or one JSON value a line. */

import { createReadStream, type Stats, statSync } from 'node:fs'
import { lines } from './lines.ts'
import { type Progress, progress } from './progress.ts'
import { Refused } from './refused.ts'

/** A value, or the reason why there is none; `place` is `line 7` or `item 7`, which count from 1. */
export type Item = { readonly place: string; readonly value: unknown } | { readonly place: string; readonly fault: string }

const longestLine = 65_536
/** An array is held in memory as a whole. */
const largestArray = 100_000_000

/** What `JSON.parse` complained about, on one line. */
const complaint = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replace(/\p{Cc}+/gu, ' ')

function decoded(bytes: Uint8Array, keepsMark: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes)
  } catch (error) {
    throw new SyntaxError('it is not UTF-8', { cause: error })
  }
}

function ofLine(line: Buffer | undefined, number: number): Item | undefined {
  const place = `line ${number}`
  if (line === undefined) return { place, fault: `expected at most ${longestLine} bytes` }
  try {
    // A file, and no line within it, may begin with a byte order mark.
    const text = decoded(line, number > 1)
    return text.trim() === '' ? undefined : { place, value: JSON.parse(text) }
  } catch (error) {
    return { place, fault: `expected JSON: ${complaint(error)}` }
  }
}

async function* ofLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly Item[]> {
  let number = 0
  for await (const found of lines(pieces, longestLine)) {
    yield found.flatMap((line) => {
      number += 1
      return ofLine(line, number) ?? []
    })
  }
}

async function* ofArray(path: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly Item[]> {
  const all: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    all.push(piece)
    size += piece.length
    if (size > largestArray) {
      throw new Refused(`${path} is too large for one array. Write one colour a line, and name it with .ndjson at its end.`)
    }
  }
  let value: unknown
  try {
    value = JSON.parse(decoded(Buffer.concat(all), false))
  } catch (error) {
    throw new Refused(`${path} is not JSON: ${complaint(error)}. If it holds one colour a line, name it with .ndjson at its end.`)
  }
  if (!Array.isArray(value))
    throw new Refused(`${path} is not an array of colours. If it holds one colour a line, name it with .ndjson at its end.`)
  // In pieces as well, so that whoever reads on is not the only one to do something.
  for (let start = 0; start < value.length; start += 1000) {
    yield value.slice(start, start + 1000).map((one: unknown, index) => ({ place: `item ${start + index + 1}`, value: one }))
  }
}

/** The file's pieces, and how far the reading has come. */
async function* counted(path: string, shown: Progress): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    yield piece
    size += piece.length
    shown.at(size)
  }
}

/** Why a file cannot be read, as the end of the sentence "Cannot read X: …". */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'it is not ours to read',
  EISDIR: 'it is a folder',
}

const unreadable = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error && 'code' in error)) return error
  return new Refused(`Cannot read ${path}: ${reasons[String(error.code)] ?? error.message}.`, { cause: error })
}

/** The items of the file at `path`, some at a time: one a line when its name ends in .ndjson or .jsonl, else those of an array. Throws `Refused`. */
export async function* items(path: string): AsyncGenerator<readonly Item[]> {
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    throw unreadable(path, error)
  }
  const shown = progress('Reading', 'bytes', 0, stats.size)
  try {
    const pieces = counted(path, shown)
    yield* /\.(ndjson|jsonl)$/i.test(path) ? ofLines(pieces) : ofArray(path, pieces)
  } catch (error) {
    throw error instanceof Refused ? error : unreadable(path, error)
  } finally {
    shown.end()
  }
}
