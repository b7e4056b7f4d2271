/** The command line in this process: its words, what it finds around it, and what it says. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { runCli } from '../../src/run.ts'

/** What a command finds around it. */
export interface Around {
  readonly environment?: Readonly<Record<string, string>>
  /** What is piped in. */
  readonly input?: string | Uint8Array
  /** What is typed, on a terminal, once this was asked. */
  readonly typed?: { readonly question: string; readonly reply: string }
  /** The width of the terminal that standard output is; left out: it is none. */
  readonly columns?: number
  /** Where relative paths start. Default: the folder of the toolkit's tests. */
  readonly folder?: string
}

/** How a command ended. */
export interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** A command that runs. */
export interface Running {
  /** Resolves when standard output has this text, with all that it has then. */
  readonly waitForOutput: (text: string) => Promise<string>
  /** Does what SIGINT does. */
  readonly stop: () => void
  readonly ended: Promise<Ended & { readonly bytes: Uint8Array }>
}

/** All that has come through a stream. */
function collectOutput(stream: PassThrough): { readonly bytes: () => Buffer; readonly has: (text: string) => Promise<string> } {
  const pieces: Buffer[] = []
  stream.on('data', (piece: Buffer) => pieces.push(piece))
  const bytes = (): Buffer => Buffer.concat(pieces)
  return {
    bytes,
    has: (text) =>
      new Promise((found) => {
        const look = (): void => {
          if (!bytes().includes(text)) return
          stream.off('data', look)
          found(`${bytes()}`)
        }
        stream.on('data', look)
        look()
      }),
  }
}

/** Begins a command. */
export function begin(words: readonly string[], { environment = {}, input = '', typed, columns, folder }: Around = {}): Running {
  const terminal = columns === undefined ? {} : { isTTY: true, columns }
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined })
  const output = Object.assign(new PassThrough(), terminal)
  const errors = new PassThrough()
  const [out, err] = [collectOutput(output), collectOutput(errors)]
  let stop = (): void => {}
  const stopping = new Promise<void>((resolve) => {
    stop = resolve
  })
  const stopped = (): Promise<void> => stopping
  if (typed === undefined) stdin.end(input)
  else void err.has(typed.question).then(() => stdin.write(typed.reply))
  const around = {
    input: stdin,
    output,
    errors,
    cwd: folder ?? fileURLToPath(new URL('.', import.meta.url)),
    env: environment,
    waitForStop: stopped,
  }
  return {
    waitForOutput: out.has,
    stop,
    ended: runCli(words, around).then((code) => ({ code, output: `${out.bytes()}`, errors: `${err.bytes()}`, bytes: out.bytes() })),
  }
}

/** Runs a command to its end. */
export async function lapidary(words: readonly string[], around?: Around): Promise<Ended> {
  const { code, output, errors } = await begin(words, around).ended
  return { code, output, errors }
}

/** A folder of a test's own, which is gone when the test ends. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
