/** Mutated streams: rows of the corpus with bytes flipped, dropped, doubled, cut and mixed, reproducible by a seed. */
import type { Row } from './row.ts'

/** Numbers from 0 to below 1 (mulberry32), the same for the same seed. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Mutation = (bytes: string, roll: (below: number) => number, other: string) => string

const inserted = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\r\n\r\n',
  ' ',
  ':',
  '\xff',
  '0\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: a\r\n\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
]
const numbers = ['0', '1', '-1', '00', '4294967296', '9007199254740993', '0x10', '1e3', '65536', '']

const replaced = (bytes: string, start: number, end: number, by: string): string => bytes.slice(0, start) + by + bytes.slice(end)

const mutations: readonly Mutation[] = [
  function flipped(bytes, roll) {
    const at = roll(bytes.length)
    return replaced(bytes, at, at + 1, String.fromCharCode(bytes.charCodeAt(at) ^ (1 << roll(8))))
  },
  function dropped(bytes, roll) {
    const at = roll(bytes.length)
    return replaced(bytes, at, at + 1 + roll(8), '')
  },
  function doubled(bytes, roll) {
    const at = roll(bytes.length)
    return replaced(bytes, at, at, bytes.slice(at, at + 1 + roll(40)))
  },
  function interrupted(bytes, roll) {
    const at = roll(bytes.length)
    return replaced(bytes, at, at, inserted[roll(inserted.length)] ?? '')
  },
  function spliced(bytes, roll, other) {
    return bytes.slice(0, roll(bytes.length)) + other.slice(roll(other.length))
  },
  function cut(bytes, roll) {
    return bytes.slice(0, roll(bytes.length))
  },
  function lineRepeated(bytes, roll) {
    const lines = bytes.split('\r\n')
    const at = roll(lines.length)
    return [...lines.slice(0, at), ...Array.from({ length: 1 + roll(3) }, () => lines[at] ?? ''), ...lines.slice(at)].join('\r\n')
  },
  function resized(bytes, roll) {
    const found = [...bytes.matchAll(/[0-9]+/g)]
    const { 0: number = '', index = 0 } = found[roll(found.length)] ?? {}
    return replaced(bytes, index, index + number.length, numbers[roll(numbers.length)] ?? '')
  },
]

/** Longer ones are changed where it does not matter. In bytes. */
const longest = 4_096

/** The bytes of the rows that are nothing but bytes, and not so many. Those that ask for a costly check of a password are left out. */
export const seeds = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap(({ pieces, from }) => {
    const bytes = pieces.filter((piece) => typeof piece === 'string').join('')
    return bytes.length > 0 && bytes.length <= longest && from === undefined ? [bytes] : []
  })

/** One stream: a row, once to three times mutated. */
export function mutant(corpus: readonly string[], random: () => number): string {
  const roll = (below: number): number => Math.floor(random() * below)
  const any = (): string => corpus[roll(corpus.length)] ?? ''
  let bytes = any()
  for (let count = 1 + roll(3); count > 0 && bytes.length > 0; count -= 1)
    bytes = mutations[roll(mutations.length)]?.(bytes, roll, any()) ?? bytes
  return bytes
}
