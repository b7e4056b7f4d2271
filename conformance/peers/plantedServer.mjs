// Serves one of the planted servers, in a process of its own: what it keeps would otherwise be there for the next tool.
import { createPlanted } from './planted.mjs'

const [name, sentence = ''] = process.argv.slice(2)
const system = (await createPlanted()).find((one) => one.name === name)
const { url } = await (sentence === '' ? system.serveRight() : system.faults.find((fault) => fault.sentence === sentence).serve())
process.stdout.write(`${url}\n`)
