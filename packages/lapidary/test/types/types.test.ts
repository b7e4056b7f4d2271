/** The types: what must compile does, each mistake gets its message, and the compiler's work for an endpoint stays within its budget. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { program } from './manyEndpoints.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const wrong = join(here, 'wrong')
const tsc = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))
// Below the repository, so that `lapidary` and `zod` are found from there, and where git does not look.
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/', import.meta.url))
mkdirSync(cache, { recursive: true })
const scratch = mkdtempSync(join(cache, 'types-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** What the compiler says of a project. */
const compiled = (project: string, ...options: readonly string[]): string =>
  spawnSync(process.execPath, [tsc, '--project', project, '--pretty', 'false', ...options], { cwd: here, encoding: 'utf8' }).stdout

const message = /^(?<file>\S+?)\((?<line>\d+),\d+\): error (?<text>.*)$/gm
// By several threads, the members of a union come in any order.
const output = compiled(here, '--singleThreaded')
const found = [...output.matchAll(message)].map(({ groups = {} }) => ({
  file: groups['file'] ?? '',
  text: `line ${groups['line']}, ${groups['text']}`,
}))
const firstOf = (file: string): string | undefined => found.find((one) => one.file === file)?.text

test('what must compile does', () => {
  expect(found.filter(({ file }) => !file.startsWith('wrong/'))).toEqual([])
})

const mistakes = readdirSync(wrong).filter((name) => name.endsWith('.ts'))

test.each(mistakes)('%s gets the message beside it', async (name) => {
  await expect(`${firstOf(`wrong/${name}`)}\n`).toMatchFileSnapshot(join(wrong, name.replace(/ts$/, 'txt')))
})

test('the message about an asynchronous handler ends with the difference', () => {
  const [, message = ''] = output.split('wrong/asyncReturnOfWrongType.ts')
  // Its further lines are indented.
  const [lines = ''] = message.split(/\n(?! )/)
  expect(lines.split('\n').at(-1)?.trim()).toBe("Type 'string' is not assignable to type 'number'.")
})

test('every message belongs to a mistake', () => {
  const messages = readdirSync(wrong).filter((name) => name.endsWith('.txt'))
  expect(messages.map((name) => name.replace(/txt$/, 'ts'))).toEqual(mistakes)
  for (const name of messages) expect(readFileSync(join(wrong, name), 'utf8')).toMatch(/^line \d+, TS\d+: \S/)
})

/** How often the compiler puts types in for type parameters. */
function instantiations(parts: number): number {
  const config = JSON.stringify({ extends: join(here, 'tsconfig.json'), files: ['program.ts'], include: [] })
  writeFileSync(join(scratch, 'tsconfig.json'), config)
  writeFileSync(join(scratch, 'program.ts'), program(parts))
  const report = compiled(scratch, '--extendedDiagnostics')
  expect(report).not.toContain('error TS')
  return Number(/^Instantiations:\s+(\d+)$/m.exec(report)?.[1])
}

// The compiler runs twice, which takes its time on a busy machine.
test('an endpoint with its handler and its call takes at most 400 instantiations', () => {
  const each = (instantiations(30) - instantiations(0)) / 300
  process.stdout.write(`${Math.round(each)} type instantiations an endpoint, its handler and its call included\n`)
  expect(each).toBeLessThanOrEqual(400)
})
