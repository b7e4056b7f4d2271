/** A registry on this machine, verdaccio, in this process. It has the packages that are published to it; it gets all others from npm's registry. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { install } from './install.mjs'
import { here } from './places.mjs'

/**
 * @typedef {object} Registry
 * @property {string} url
 * @property {string[]} accepted  what was published: `name@version`, in order
 * @property {(isRejected: (name: string) => boolean) => void} rejectPublishing  answers 403 for the packages of these names
 * @property {() => Promise<void>} close
 */

const readBody = async (/** @type {import('node:http').IncomingMessage} */ request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What npm publishes with one request. */
const listPublished = (/** @type {Buffer} */ body) => {
  const { name, versions } = JSON.parse(body.toString())
  return Object.keys(versions).map((version) => `${name}@${version}`)
}

/**
 * @param {string} storage an empty folder
 * @param {readonly string[]} names of the packages that come from here alone
 * @returns {Promise<Registry>}
 */
export async function startRegistry(storage, names) {
  install('registry')
  const { runServer } = createRequire(join(here, 'registry/package.json'))('verdaccio')
  const upstream = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout.trim()
  const everyone = { access: '$all', publish: '$all' }
  const own = Object.fromEntries(names.map((name) => [name, everyone]))
  const server = await runServer({
    storage,
    self_path: storage,
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'fatal' },
    uplinks: { upstream: { url: upstream, maxage: '1h' } },
    packages: { ...own, '**': { access: '$all', proxy: 'upstream' } },
  })
  const [handle] = server.listeners('request')
  server.removeAllListeners('request')
  const accepted = []
  let isRejected = (/** @type {string} */ _name) => false
  server.on('request', async (request, response) => {
    if (request.method !== 'PUT') return handle(request, response)
    if (isRejected(decodeURIComponent(request.url.slice(1)))) {
      request.resume()
      return response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"error":"no publishing today"}')
    }
    // It is read before verdaccio reads it: what was rejected is not listed.
    const body = await readBody(request)
    response.once('finish', () => {
      if (response.statusCode === 201) accepted.push(...listPublished(body))
    })
    request.body = JSON.parse(body.toString())
    request._body = true
    return handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    accepted,
    rejectPublishing: (predicate) => {
      isRejected = predicate
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
