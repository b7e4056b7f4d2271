/** A page of `docs/` as tests see it: the modules of its program, what they say that they print, and its transcripts. */
import { type Fence, fences } from './fence.ts'

/** One module of a page's program. */
export interface Source {
  /** As the first line of its first block says, `// server.ts`; else `main.ts`. */
  readonly name: string
  readonly blocks: readonly Fence[]
}

/** A page, read. */
export interface Page {
  /** From the root of the repository: `docs/tour.md`. */
  readonly path: string
  readonly text: string
  readonly fences: readonly Fence[]
  /** What is run, in this order: modules as they begin, transcripts where they stand. */
  readonly steps: readonly (Source | Fence)[]
}

/** Whether a block is a part of the program. One with words behind its language is not. */
export const isProgram = ({ language, info }: Fence): boolean => language === 'ts' && info === ''

export const isTranscript = ({ language }: Fence): boolean => language === 'console'

/** Whether another module of the page runs it as a process of its own, by the name of its file. Then it is compiled, and not imported. */
export const isSpawned = ({ text }: Page, { name }: Source): boolean => text.includes(`'${name.replace(/\.ts$/, '.js')}'`)

export const isSource = (step: Source | Fence): step is Source => 'blocks' in step

const nameLine = /^\/\/ ([\w/-]+\.ts)\n/

/** Reads a page. A block without a name goes on with the module before it. */
export function page(path: string, text: string): Page {
  const found = fences(text)
  const modules = new Map<string, Fence[]>()
  const steps: (Source | Fence)[] = []
  let name = 'main.ts'
  for (const fence of found) {
    if (isTranscript(fence)) steps.push(fence)
    if (!isProgram(fence)) continue
    name = nameLine.exec(fence.text)?.[1] ?? name
    const blocks = modules.get(name) ?? []
    if (blocks.length === 0) steps.push({ name, blocks })
    blocks.push(fence)
    modules.set(name, blocks)
  }
  return { path, text, fences: found, steps }
}

/** The text of a module: each block at the line where it stands in the page, so that what a compiler says of the one is true of the other. */
export const textOf = ({ blocks }: Source): string =>
  blocks.reduce((before, { text, line }) => before + '\n'.repeat(line - before.split('\n').length) + text, '')

/** A `console.log` up to the lines that say what it prints; there may be none. */
const logged = /^[ \t]*console\.log\((?:(?!^[ \t]*(?:console\.log\(|\/\/ →)).*\n)*(?<said>(?:[ \t]*\/\/ →.*\n)*)/gm

/** What each `console.log` of a module says that it prints, in order: the lines `// → …` below it. */
export const saidBy = ({ blocks }: Source): readonly string[] =>
  blocks.flatMap(({ text }) => [...text.matchAll(logged)].map(({ groups }) => (groups?.['said'] ?? '').replace(/^[ \t]*\/\/ → ?/gm, '')))

/** The blocks of a module with what they print today. @throws Error where a `console.log` printed more than once, or never. */
export function reprinted(source: Source, printed: readonly string[]): readonly string[] {
  const expected = saidBy(source).length
  if (printed.length !== expected)
    throw new Error(
      `${source.name} has ${expected} console.log, and they printed ${printed.length} times. Let each print once, outside of loops.`,
    )
  const next = printed[Symbol.iterator]()
  return source.blocks.map(({ text }) =>
    text.replace(logged, (whole, said: string) => {
      const indent = /^[ \t]*/.exec(whole)?.[0] ?? ''
      const lines = (next.next().value ?? '').replace(/^.*\n/gm, (line) => `${indent}// → ${line}`.replace(/ +\n/, '\n'))
      return said === '' ? `${whole}${lines}` : whole.slice(0, -said.length) + lines
    }),
  )
}
