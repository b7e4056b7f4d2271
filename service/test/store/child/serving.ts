/** Reads and then writes in a database with a read-only file, and prints both outcomes. Arguments: PATH. */

import { StoreUnavailable } from '../../../src/store/errors.ts'
import { openStore } from '../../../src/store/store.ts'

const outcome = async (action: () => unknown): Promise<string> => {
  try {
    await action()
    return 'done'
  } catch (error) {
    return error instanceof StoreUnavailable ? 'unavailable' : String(error)
  }
}

// Root may write anything, so the process gives up its rights once everything is loaded.
await (await openStore('sqlite::memory:')).close()
if (process.getuid?.() === 0) process.setuid?.(65534)

const store = await openStore(`sqlite:${process.argv[2]}`)
const read = await outcome(() => store.users.find(1))
const written = await outcome(() => store.secrets.add({ secret: 'x' }))
const ready = await outcome(() => store.ping())
process.stdout.write(JSON.stringify({ read, written, ready }))
