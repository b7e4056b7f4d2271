/** Serves everything on Bun, and says where. */
import { listen } from 'lapidary/bun'
import { everything } from './everything.ts'

const { url } = await listen(everything())
process.stdout.write(`${url}\n`)
