/** The example service as it is built, with an account, a secret and files, on SQLite in a folder that goes away with it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReplica } from '../scripts/replica.mjs'
import { runNode } from './command.mjs'
import { root } from './places.mjs'

export const account = { username: 'ann', password: 'correct horse battery staple' }
export const token = 'conformance'

/** @param {string} folder an empty one @param {Readonly<Record<string, string>>} [environment] further settings by their variables */
export async function startService(folder, environment = {}) {
  mkdirSync(join(folder, 'static-files'))
  writeFileSync(join(folder, 'static-files', 'hello.txt'), 'Hello from a file.\n')
  writeFileSync(join(folder, 'myfile.txt'), 'The text of the file.\n')
  const database = `sqlite:${join(folder, 'service.db')}`
  const words = ['add', account.username, '--database-url', database]
  await runNode(join(root, 'service/dist/account.js'), words, { input: `${account.password}\n` })
  const running = await createReplica(database, { SECRET_TOKEN: token, WORKING_DIR: folder, ...environment })
  await running.start()
  return { url: running.urls.main, remove: running.remove }
}
