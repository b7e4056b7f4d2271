/** The OpenAPI document at work: a client that is typed by it alone calls every operation of the running service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from '../command.mjs'
import { classic, compile } from '../compiler.mjs'
import { findProgram } from '../places.mjs'
import { account, token } from '../service.mjs'

/** @param {import('../stage.mjs').Stage} stage */
export async function check(stage) {
  const { folder } = await stage.consumer()
  const { url } = await stage.service()
  const caller = join(folder, 'caller')
  const place = join(caller, 'document.json')
  writeFileSync(place, JSON.stringify(await stage.document()))
  await runNode(findProgram('openapi-typescript'), ['document.json', '--output', 'document.ts'], { cwd: caller })
  const files = ['caller/program.ts']
  await compile(classic, { folder, files, options: { noEmit: false, outDir: 'called', noUncheckedIndexedAccess: true } })
  const environment = { SERVICE: url, ACCOUNT: `${account.username}:${account.password}`, TOKEN: token }
  const count = (await runNode(join(folder, 'called/program.js'), [place], { environment })).trim()
  return `${count} operations called by openapi-fetch, with the types of openapi-typescript under TypeScript ${classic.version}`
}
