/** What a command finds around it, besides its words: streams, a folder and an environment. */

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { escapeControls } from '@lapidary/testing/internal'
import * as usage from './cliMessages.ts'

/** A stream that people may be reading. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Those of a process, or of a test. */
export interface CliContext {
  readonly input: Readable & { readonly isTTY?: boolean }
  /** For the result, and nothing else. */
  readonly output: OutputStream
  /** For words to people. */
  readonly errors: OutputStream
  /** Where relative paths start. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Resolves when whoever runs the command wants it to end. Until it is called, SIGINT and SIGTERM end the process as they always do. */
  readonly waitForStop: () => Promise<void>
}

/** Whether the result may have colours: people read it, and have not said that they want none (https://no-color.org). */
export const hasColors = ({ output, env: environment }: CliContext): boolean => output.isTTY === true && !environment['NO_COLOR']

/** Writes to a stream; resolves when it may be given more. Rejects when nobody reads it any longer. */
export const writeChunk = (stream: OutputStream, piece: string | Uint8Array): Promise<void> =>
  new Promise((done, failed) => {
    stream.write(piece, (error) => (error ? failed(error) : done()))
  })

/** The error that a stream gives whose reader has left, as `head` does: not a failure of ours. */
export const isPipeClosed = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'EPIPE'

// A failure that whoever runs the command can mend: said in a sentence, without a stack.

/** Its message is for people, its exit code for scripts. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** 1: it failed. 2: the command was used wrongly. */
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** What a failed system call says, without its code and its path: `no such file or directory`. */
export function getErrorReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^E[A-Z]+: /, '').replace(/, \w+( '.*')?$/s, '')
}

/** The result of work that toolkit or API may refuse with a TypeError, in sentences for the programmer. */
export async function convertTypeErrors<Result>(exitCode: 1 | 2, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TypeError ? new CliError(exitCode, error.message, { cause: error }) : error
  }
}

// Where a command puts its result: standard output, or the file that `--out` names.

/** Puts it there; on a terminal without what could do something to it. `isPainted`: that was seen to, and what is left are our own colours. @throws Mistake when the file cannot be written. */
export async function writeResult(
  text: string,
  file: string | undefined,
  { output, cwd: folder }: CliContext,
  { isPainted = false }: { readonly isPainted?: boolean } = {},
): Promise<void> {
  if (file === undefined) return writeChunk(output, output.isTTY && !isPainted ? escapeControls(text) : text)
  try {
    await writeFile(resolve(folder, file), text)
  } catch (error) {
    throw new CliError(1, usage.fileNotWritten(file, getErrorReason(error)), { cause: error })
  }
}
