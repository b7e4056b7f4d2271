/** What a command finds around it, besides its words: streams, a folder and an environment. */
import type { Readable, Writable } from 'node:stream'

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
