// Runs the programs of the pages in docs/. Each line of standard input is the path of a module to import. Its servers stay for the commands of the
// page. Standard output gets records, each with a sign: the output of console.log (>), an error (!), and the end of a module (.).
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
