/** What a command gets from its process: streams, a directory and an environment; and how it reports results and errors. */
import { lstatSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { escapeControls } from '@lapidary/testing/internal'
import * as messages from './cliMessages.ts'

/** An output stream, which may be a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The surroundings of a command, in a process or in a test. */
export interface CliContext {
  readonly input: Readable & { readonly isTTY?: boolean }
  /** For the result and nothing else. */
  readonly output: OutputStream
  /** For messages to people. */
  readonly errors: OutputStream
  /** The directory of relative paths. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Resolves at SIGINT or SIGTERM. Before the first call, these signals end the process. */
  readonly waitForStop: () => Promise<void>
}

/** An error that the caller of a command can correct. It is shown as one sentence, without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** 1: the command failed. 2: it was used wrongly, or could not run. */
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** Returns the reason of a system error without its code and its path: `no such file or directory`. */
export function getErrorReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^E[A-Z]+: /, '').replace(/, \w+( '.*')?$/s, '')
}

/** Runs work whose TypeErrors are messages to the caller of the command. @throws CliError in place of a TypeError */
export async function convertTypeErrors<Result>(exitCode: 1 | 2, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TypeError ? new CliError(exitCode, error.message, { cause: error }) : error
  }
}

/** Whether the output may have colors: it is a terminal, and NO_COLOR is not set (https://no-color.org). */
export const hasColors = ({ output, env }: CliContext): boolean => output.isTTY === true && !env['NO_COLOR']

/** Writes to a stream; resolves when the stream takes more, and rejects when its reader is gone. */
export const writeChunk = (stream: OutputStream, chunk: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()))
  })

/** Whether an error means that the reader of a stream is gone, as `head` goes early. This is no failure. */
export const isPipeClosed = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'EPIPE'

/**
 * Writes the result of a command to a file, or to standard output. On a terminal, control characters are escaped.
 *
 * @param isEscaped whether control characters from elsewhere have been escaped, so that only color codes are left
 * @throws CliError if the file is a symbolic link, or cannot be written
 */
export async function writeResult(
  text: string,
  file: string | undefined,
  { output, cwd }: CliContext,
  { isEscaped = false }: { readonly isEscaped?: boolean } = {},
): Promise<void> {
  if (file === undefined) return writeChunk(output, output.isTTY && !isEscaped ? escapeControls(text) : text)
  const path = resolve(cwd, file)
  // In a repository of a stranger, it may lead to any file of this machine. `/dev/stdout` is a link as well.
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !/^[/\\]dev[/\\]/.test(path)
  if (isLink) throw new CliError(2, messages.linkAsOut(file))
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new CliError(2, messages.fileNotWritten(file, getErrorReason(error)), { cause: error })
  }
}
