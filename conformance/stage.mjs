/** What several checks need. It is made when the first of them asks for it, and removed at the end of the run. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consumer } from './consumer.mjs'
import { packed } from './packed.mjs'
import { service } from './service.mjs'

/** @typedef {ReturnType<typeof stage>} Stage */

export function stage() {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-conformance-'))
  /** @type {(() => Promise<unknown>)[]} */
  const endings = []
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)

  /** An empty folder that goes away with the rest. @param {string} name */
  const place = (name) => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  /** @template Value @param {() => Promise<Value>} make */
  const shared = (make) => {
    /** @type {Promise<Value> | undefined} */
    let made
    return () => {
      made ??= make()
      return made
    }
  }
  const ofPackage = shared(() => packed(place('package')))
  const ofService = shared(async () => {
    const running = await service(place('service'))
    endings.push(running.remove)
    return running
  })
  return Object.freeze({
    place,
    /** The packages as npm would publish them. */
    packed: ofPackage,
    /** A project in which the packages are installed. */
    consumer: shared(async () => consumer(place('consumer'), await ofPackage())),
    /** The example service, running. */
    service: ofService,
    /** What it says of itself. */
    document: shared(async () => {
      const answer = await fetch(`${(await ofService()).url}/openapi.json`)
      assert.equal(answer.status, 200, 'the service has no OpenAPI document')
      return answer.json()
    }),
    close: async () => {
      for (const end of endings) await end()
      process.off('exit', remove)
      remove()
    },
  })
}
