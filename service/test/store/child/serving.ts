/** Reads, then writes, in a database whose file it may not write; prints what became of each. Words: PATH. */

import { open } from '../../../src/store/open.ts'
import { StoreUnavailable } from '../../../src/store/storeUnavailable.ts'

const outcome = async (action: () => unknown): Promise<string> => {
  try {
    await action()
    return 'done'
  } catch (error) {
    return error instanceof StoreUnavailable ? 'unavailable' : String(error)
  }
}

// Root may write anything: it becomes nobody, once everything is loaded that nobody might not be allowed to read.
await (await open('sqlite::memory:')).close()
if (process.getuid?.() === 0) process.setuid?.(65534)

const store = await open(`sqlite:${process.argv[2]}`)
const read = await outcome(() => store.users.find(1))
const written = await outcome(() => store.secrets.add({ secret: 'x' }))
const ready = await outcome(() => store.ping())
process.stdout.write(JSON.stringify({ read, written, ready }))
