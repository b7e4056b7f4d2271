/** Where a command puts its result: standard output, or the file that `--out` names. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { printable } from '../describe/printable.ts'
import * as usage from '../describe/usage.ts'
import { Mistake, reasonOf } from './mistake.ts'
import { type Surroundings, written } from './surroundings.ts'

/** Puts it there; on a terminal without what could do something to it. `isPainted`: that was seen to, and what is left are our own colours. @throws Mistake when the file cannot be written. */
export async function put(
  text: string,
  file: string | undefined,
  { output, folder }: Surroundings,
  { isPainted = false }: { readonly isPainted?: boolean } = {},
): Promise<void> {
  if (file === undefined) return written(output, output.isTTY && !isPainted ? printable(text) : text)
  try {
    await writeFile(resolve(folder, file), text)
  } catch (error) {
    throw new Mistake(1, usage.notWritten(file, reasonOf(error)), { cause: error })
  }
}
