/** A page of `docs/` as tests see it: the modules of its program, their documented output, and its transcripts. */
import { type Fence, parseFences } from './fence.ts'

/** One module of a page's program. */
export interface Source {
  /** From the first line of its first block, `// server.ts`; else `main.ts`. */
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

/** Whether a block is the output of a command as a page shows it: quoted, and read as Markdown. Its `info` is the command. */
export const isRendered = ({ language }: Fence): boolean => language === 'rendered'

const renderedBlock = /^<!-- \$ (?<command>.*) -->\n(?<text>(?:>.*\n)+)<!-- end -->$/gm

const findRendered = (text: string): readonly Fence[] =>
  [...text.matchAll(renderedBlock)].map(({ index, groups = {} }) => ({
    language: 'rendered',
    info: groups['command'] ?? '',
    text: groups['text'] ?? '',
    line: text.slice(0, index).split('\n').length + 1,
  }))

export const isTranscript = ({ language }: Fence): boolean => language === 'console'

/** Whether another module of the page runs it as a process of its own, by the name of its file. Then it is compiled, and not imported. */
export const isSpawned = ({ text }: Page, { name }: Source): boolean => text.includes(`'${name.replace(/\.ts$/, '.js')}'`)

/** Whether a test runner runs it. Then it is compiled, and not imported. */
export const isTestFile = ({ name }: Source): boolean => name.endsWith('.test.ts')

export const isSource = (step: Source | Fence): step is Source => 'blocks' in step

const nameLine = /^\/\/ ([\w/.-]+\.ts)\n/

/** Reads a page. A block without a name goes on with the module before it. */
export function parsePage(path: string, text: string): Page {
  const found = parseFences(text)
  const modules = new Map<string, Fence[]>()
  const steps: (Source | Fence)[] = []
  let name = 'main.ts'
  for (const fence of [...found, ...findRendered(text)].toSorted((one, other) => one.line - other.line)) {
    if (isTranscript(fence) || isRendered(fence)) steps.push(fence)
    if (!isProgram(fence)) continue
    name = nameLine.exec(fence.text)?.[1] ?? name
    const blocks = modules.get(name) ?? []
    if (blocks.length === 0) steps.push({ name, blocks })
    blocks.push(fence)
    modules.set(name, blocks)
  }
  return { path, text, fences: found, steps }
}

/** The text of a module: each block at the line where it stands in the page, so that the lines of compiler errors are those of the page. */
export const textOf = ({ blocks }: Source): string =>
  blocks.reduce((before, { text, line }) => before + '\n'.repeat(line - before.split('\n').length) + text, '')

/** A `console.log` with the lines of its documented output; there may be none. */
const logCall = /^[ \t]*console\.log\((?:(?!^[ \t]*(?:console\.log\(|\/\/ →)).*\n)*(?<comment>(?:[ \t]*\/\/ →.*\n)*)/gm

/** Reads the documented output of each `console.log` of a module, in order: the lines `// → …` below it. */
export const readExpectedOutput = ({ blocks }: Source): readonly string[] =>
  blocks.flatMap(({ text }) =>
    [...text.matchAll(logCall)].map(({ groups }) => (groups?.['comment'] ?? '').replace(/^[ \t]*\/\/ → ?/gm, '')),
  )

/** The blocks of a module with what they print today. @throws Error where a `console.log` printed more than once, or never. */
export function updateOutput(source: Source, output: readonly string[]): readonly string[] {
  const expected = readExpectedOutput(source).length
  if (output.length !== expected)
    throw new Error(
      `${source.name} has ${expected} console.log, and they printed ${output.length} times. Let each print once, outside of loops.`,
    )
  const next = output[Symbol.iterator]()
  return source.blocks.map(({ text }) =>
    text.replace(logCall, (whole, comment: string) => {
      const indent = /^[ \t]*/.exec(whole)?.[0] ?? ''
      const lines = (next.next().value ?? '').replace(/^.*\n/gm, (line) => `${indent}// → ${line}`.replace(/ +\n/, '\n'))
      return comment === '' ? `${whole}${lines}` : whole.slice(0, -comment.length) + lines
    }),
  )
}
