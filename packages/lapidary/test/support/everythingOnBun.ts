/** Serves `everything` on Bun, and prints its URL. */
import { listen } from 'lapidary/bun'
import { everything } from './everything.ts'

const { url } = await listen(everything())
process.stdout.write(`${url}\n`)
