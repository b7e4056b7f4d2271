/** The text of `myfile.txt`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errors } from 'lapidary'
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'

const name = 'myfile.txt'
/** What opening a file says when there is none to be read. */
const absences = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

export const file =
  (folder: string): Handlers<typeof main>['file'] =>
  async () => {
    try {
      return { content: await readFile(join(folder, name), 'utf8') }
    } catch (error) {
      if (!absences.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      throw errors.notFound({ body: `There is no ${name} in the service's working directory. Create it there and try again.` })
    }
  }
