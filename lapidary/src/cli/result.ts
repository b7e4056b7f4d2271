/** Where a command puts its result: standard output, or the file that `--out` names. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as usage from '../describe/usage.ts'
import { Mistake, reasonOf } from './mistake.ts'
import { type Surroundings, written } from './surroundings.ts'

/** Puts it there. @throws Mistake when the file cannot be written. */
export async function put(text: string, file: string | undefined, { output, folder }: Surroundings): Promise<void> {
  if (file === undefined) return written(output, text)
  try {
    await writeFile(resolve(folder, file), text)
  } catch (error) {
    throw new Mistake(1, usage.notWritten(file, reasonOf(error)), { cause: error })
  }
}
