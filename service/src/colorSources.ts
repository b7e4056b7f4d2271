/** Where the command for colours gets them: a package of real names, a generator, a file. */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Color } from './api/colors.ts'
import { CommandError } from './command.ts'

/** `#rrggbb`, lower case. */
export const toHex = ([red, green, blue]: Color['rgb']): string => `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`

function createColor(name: string, number: number): Color {
  const rgb = [number >> 16, (number >> 8) & 255, number & 255] as const
  return { name, rgb, hex: toHex(rgb) }
}

/**
 * Tens of thousands of colours with real names, always in the same order. Throws `CommandError` without the package, which is a development
 * dependency.
 */
export async function loadNamedColors(): Promise<readonly Color[]> {
  try {
    const { colornames } = await import('color-name-list')
    return colornames.map(({ name, hex }) => createColor(name, Number.parseInt(hex.slice(1), 16)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CommandError(
      'The real names come from the package color-name-list, which is not installed here: it is there for development. Add --generated to load generated names alone.',
    )
  }
}

/**
 * The step from one generated colour to the next among all 2^24. It is odd, so that each colour comes once before they repeat. It is large,
 * so that some 20,000 are spread over all colours, and no larger, because a database inserts neighbours faster.
 */
const colorStep = 1021

/** The generated colour at `index`, from 0. Each has a name of its own. */
export const generateColor = (index: number): Color =>
  createColor(`Colour ${String(index).padStart(8, '0')}`, (index * colorStep) % 2 ** 24)

const nameError = 'expected a text of 1 to 255 characters without control characters'
const componentError = 'expected a whole number from 0 to 255'
const component = z.int(componentError).min(0, componentError).max(255, componentError)

const FileColor = z
  .object(
    {
      // 255 characters fit into an index of every database. A lone surrogate (Cs) fits into none.
      name: z.string(nameError).regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u, nameError),
      rgb: z.tuple([component, component, component], 'expected the three components red, green and blue'),
      hex: z.string('expected a text such as #ff7f50, or nothing').optional(),
    },
    'expected an object',
  )
  .check(({ value: { rgb, hex }, issues }) => {
    if (issues.length > 0 || hex === undefined || hex.toLowerCase() === toHex(rgb)) return
    issues.push({ code: 'custom', path: ['hex'], input: hex, message: `expected ${toHex(rgb)}, as rgb says` })
  })
  .transform(({ name, rgb }): Color => ({ name, rgb, hex: toHex(rgb) }))

/** A value in a message: at most 60 characters of it. */
function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The JSON pointer, what was expected, what was found. */
const describeIssue = ({ path, message, input }: z.core.$ZodIssue): string =>
  `${path.map((key) => `/${String(key)}`).join('')}${path.length > 0 ? ': ' : ''}${message}, got ${quoteValue(input)}`

/** The value, or an error with a message of one line. */
function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return new SyntaxError('it is not UTF-8')
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    return new SyntaxError((error as SyntaxError).message.replace(/\p{Cc}+/gu, ' '))
  }
}

/** A value or a `SyntaxError`, and its place: `line 7` or `item 7`, from 1. */
type Item = readonly [place: string, value: unknown]

function* readLines(bytes: Buffer): Generator<Item> {
  let start = 0
  for (let number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf('\n', start)
    const line = bytes.subarray(start, end < 0 ? undefined : end)
    start += line.length + 1
    if (line.toString().trim() !== '') yield [`line ${number}`, parseJson(line)]
  }
}

function* readArray(path: string, bytes: Buffer): Generator<Item> {
  const values = parseJson(bytes)
  if (!Array.isArray(values)) {
    const problem = values instanceof SyntaxError ? `not JSON: ${values.message}` : 'not an array of colours'
    throw new CommandError(`${path} is ${problem}. If it holds one colour a line, name it with .ndjson at its end.`)
  }
  for (const [index, value] of values.entries()) yield [`item ${index + 1}`, value]
}

/** Why a file cannot be read, as the end of the sentence "Cannot read X: …". */
const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'it is not ours to read',
  EISDIR: 'it is a folder',
}

/** The largest file in bytes. It is held in memory. */
const maxFile = 100_000_000

/** The content without a byte order mark. */
async function readBytes(path: string): Promise<Buffer> {
  const fail = (error: NodeJS.ErrnoException): never => {
    throw new CommandError(`Cannot read ${path}: ${readReasons[error.code ?? ''] ?? error.message}.`)
  }
  const { size } = await stat(path).catch(fail)
  if (size > maxFile) throw new CommandError(`${path} is too large: expected at most ${maxFile} bytes. Load it in parts.`)
  const bytes = await readFile(path).catch(fail)
  return bytes.subarray(bytes.indexOf('\ufeff') === 0 ? 3 : 0)
}

/** The largest number of problems in a message. */
const maxProblems = 20

/**
 * The colours of a file: one per line if its name ends in .ndjson or .jsonl, else those of an array. Throws `CommandError` with the
 * problems of all items.
 */
export async function readColorFile(path: string): Promise<readonly Color[]> {
  const bytes = await readBytes(path)
  const places = new Map<string, string>()
  const colors: Color[] = []
  const problems: string[] = []
  let problemCount = 0
  const report = (place: string, problem: string): void => {
    problemCount += 1
    if (problemCount <= maxProblems) problems.push(`${place}: ${problem}`)
  }
  for (const [place, value] of /\.(ndjson|jsonl)$/i.test(path) ? readLines(bytes) : readArray(path, bytes)) {
    const { data, error } = FileColor.safeParse(value, { reportInput: true })
    const earlier = data && places.get(data.name)
    if (value instanceof SyntaxError) report(place, `expected JSON: ${value.message}`)
    else if (data === undefined) for (const issue of error.issues) report(place, describeIssue(issue))
    else if (earlier !== undefined)
      report(place, `/name: expected a name that is new in this file, got that of ${earlier}: ${JSON.stringify(data.name)}`)
    else {
      places.set(data.name, place)
      colors.push(data)
    }
  }
  if (problemCount === 0) return colors
  if (problemCount > maxProblems) problems.push(`… and ${problemCount - maxProblems} more`)
  throw new CommandError([`${path} cannot be loaded, and nothing was added:`, ...problems].join('\n  '))
}
