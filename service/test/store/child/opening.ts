/** Opens a database when it receives a line, and prints the number of its colors or the reason of the failure. Arguments: PATH. */

import { once } from 'node:events'
import { openStore } from '../../../src/store/store.ts'

process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
try {
  const store = await openStore(`sqlite:${process.argv[2]}`)
  process.stdout.write(`${await store.colors.count()} ${await store.users.count()}\n`)
  await store.close()
} catch (error) {
  process.stdout.write(`${error}\n`)
  process.exitCode = 1
}
