/** What several checks need. It is made when the first of them needs it, and removed at the end of the run. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackages } from '../scripts/pack.mjs'
import { installConsumer } from './consumer.mjs'
import { installExamples } from './examples.mjs'
import { startService } from './service.mjs'

/** The address that stands in the manifests of the packed packages. */
export const repositoryUrl = 'https://git.example/owner/name'

/** @typedef {ReturnType<typeof createStage>} Stage */

export function createStage() {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-conformance-'))
  /** @type {(() => Promise<unknown>)[]} */
  const endings = []
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)

  /** An empty folder that goes away with the rest. @param {string} name */
  const createFolder = (name) => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  /** @template Value @param {() => Promise<Value>} make */
  const memoize = (make) => {
    /** @type {Promise<Value> | undefined} */
    let value
    return () => {
      value ??= make()
      return value
    }
  }
  const pack = memoize(() => packPackages(createFolder('package'), repositoryUrl))
  const startServiceOnce = memoize(async () => {
    const running = await startService(createFolder('service'))
    endings.push(running.remove)
    return running
  })
  return Object.freeze({
    createFolder,
    /** The packages as npm would publish them. */
    packages: pack,
    /** A project in which the packages are installed. */
    consumer: memoize(async () => installConsumer(createFolder('consumer'), await pack())),
    /** The examples, in which the packages are installed. */
    examples: memoize(async () => installExamples(createFolder('examples'), await pack())),
    /** The example service, running. */
    service: startServiceOnce,
    /** Its OpenAPI document. */
    document: memoize(async () => {
      const response = await fetch(`${(await startServiceOnce()).url}/openapi.json`)
      assert.equal(response.status, 200, 'the service has no OpenAPI document')
      return response.json()
    }),
    close: async () => {
      for (const end of endings) await end()
      process.off('exit', remove)
      remove()
    },
  })
}
