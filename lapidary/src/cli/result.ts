/** Where a command puts its result: standard output, or the file that `--out` names. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapeControls } from '../describe/printable.ts'
import * as usage from '../describe/usage.ts'
import { CliError, getErrorReason } from './mistake.ts'
import { type CliContext, writeChunk } from './surroundings.ts'

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
