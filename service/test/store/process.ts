/** Runs a source or built program of this repository as a process. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The words that run a program: those of node, then its path, then its own. */
export const words = (program: string, ...own: string[]): string[] => [
  // What is built starts sooner than what is still to be compiled.
  ...(program.endsWith('.ts') ? ['--import', 'tsx', '--conditions=source'] : []),
  fileURLToPath(new URL(program, import.meta.url)),
  ...own,
]

/** Starts a program; it is killed with the test, if it still runs. */
export function start(program: string, own: string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(process.execPath, words(program, ...own), { cwd: root, ...options })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export interface Ended {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/** Runs a program to its end, with this text on its standard input. */
export async function run(program: string, own: string[], input: string | Uint8Array = '', options: SpawnOptions = {}): Promise<Ended> {
  const child = start(program, own, options)
  let output = ''
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdin?.end(input)
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, output, errors }
}
