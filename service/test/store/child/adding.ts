/** Adds users one by one and prints the identifier of each once it is stored. Arguments: PATH COUNT. */

import { openStore } from '../../../src/store/store.ts'

const [path, count] = process.argv.slice(2)
const store = await openStore(`sqlite:${path}`)
for (let index = 0; index < Number(count); index += 1) {
  const id = await store.users.add({ name: `User ${index}`, age: index, email: `${index}@example.org`, registration_date: '2024-02-29' })
  process.stdout.write(`${id}\n`)
}
await store.close()
