/** A service with the data that the documentation of `main` shows. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from 'lapidary'
import { listen } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { afterAll } from 'vitest'
import type { Exchange } from '../../../packages/lapidary/test/support/documented/exchange.ts'
import { maxBodySize } from '../../../packages/lapidary/test/support/documented/rejections.ts'
import { hashPassword } from '../../src/accounts/password.ts'
import { founders } from '../../src/api/users.ts'
import { main } from '../../src/api.ts'
import { createLog } from '../../src/log.ts'
import { createServers } from '../../src/server.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/store.ts'
import { withoutBrowserHeaders } from '../specification/expected.ts'
import { forget, send } from '../specification/send.ts'
import { type Service, service } from '../support/service.ts'

const environment = { SECRET_TOKEN: 'token', MAX_BODY_BYTES: `${maxBodySize}` }
const files = { 'myfile.txt': 'The text of the file.\n' }

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** With the file, the token and the account that the documentation shows. Closed when the tests of the file are done. */
export async function documentedService(): Promise<Service> {
  const begun = await service({ environment, files })
  closing.push(begun.close)
  const hashed = await hashPassword('secret')
  for (const url of begun.database.urls) {
    const store = await openStore(url)
    await store.accounts.put('ann', hashed)
    await store.close()
  }
  return begun
}

/** The same without the file and without any requested row. */
export async function emptyService(): Promise<Service> {
  const begun = await documentedService()
  await rm(join(begun.folder, 'myfile.txt'))
  for (const table of ['users', 'products']) await begun.database.run(`DELETE FROM ${table}`)
  return begun
}

/** What puts rows back that requests have changed or added. Users that were removed stay so: their identifiers never come back. */
export async function restorer({ database }: Service): Promise<() => Promise<void>> {
  const { run, close } = await database.session()
  closing.push(close)
  return async () => {
    await run('DELETE FROM users WHERE id > 3')
    await run(
      'UPDATE users SET name = ?, age = ?, email = ?, registration_date = ? WHERE id = ?',
      founders.map(({ name, age, email, registration_date }, index) => [name, age, email, registration_date, index + 1]),
    )
    await run('DELETE FROM products')
    await run('INSERT INTO products (product_id) VALUES (?)', [[1], [2], [3]])
  }
}

/** Serves a kernel until the tests of the file are done. */
export async function listening(kernel: HttpHandler): Promise<string> {
  const { url, close } = await listen(kernel)
  closing.push(async () => {
    await close({ drain: 0 })
    forget(url)
  })
  return url
}

/** The kernel of `main` when its database is away for good. */
export async function withoutDatabase({ database, folder }: Service): Promise<HttpHandler> {
  const store = await openStore(database.url)
  await store.close()
  const whole = await createServers({
    settings: readSettings({ ...environment, WORKING_DIR: folder }),
    store,
    log: createLog('silent'),
  })
  return whole.main
}

/** The names of the headers that the responses at a path are documented to have, in lower case. A path may end in a slash. */
function documentedNames(target: string): readonly string[] {
  const path = decodeURIComponent(target.replace(/\?.*/s, '')).replace(/(.)\/$/, '$1')
  const all = operations(main).map(({ operation }) => operation)
  const endpoints = all.flatMap((operation) => ('route' in operation && operation.route.endsWith(` ${path}`) ? operation : []))
  return endpoints.flatMap(({ responseHeaders }) => Object.keys(responseHeaders).map((name) => name.toLowerCase()))
}

/** How a server is asked; `from` is the address to ask from. */
export const createExchange =
  (base: string, from?: string): Exchange =>
  async ({ method, target, headers, body }) => {
    const sent = { line: `${method} ${target}`, headers, body: body ?? '', ...(from === undefined ? {} : { from }) }
    // Every response of every endpoint has a request id, and headers for browsers: like its date, they are no part of a description.
    const {
      status,
      headers: { 'x-request-id': _, ...received },
      bytes,
    } = await send(base, sent)
    const documented = Object.entries(received).filter(([name]) => documentedNames(target).includes(name))
    return { status, headers: { ...withoutBrowserHeaders(received), ...Object.fromEntries(documented) }, body: bytes }
  }
