// Runs the programs of the pages in docs/. Each line of standard input is the path of a module to import; its servers stay for whoever asks
// them something next. To standard output go records, each of them behind a sign of its own: what a console.log printed (>), what went wrong (!),
// and the end of the module (.).
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { format, inspect } from 'node:util'

const record = (sign, text) => process.stdout.write(`${sign}${text}\n\u001e`)

console.log = (...values) => record('>', format(...values))

for await (const path of createInterface({ input: process.stdin })) {
  try {
    await import(pathToFileURL(path))
  } catch (error) {
    record('!', inspect(error))
  }
  record('.', '')
}
