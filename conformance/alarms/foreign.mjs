/** Servers that others wrote the frameworks of, with the documents that these servers publish. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { install } from '../install.mjs'
import { here, readManifest } from '../places.mjs'
import { startPrism } from '../prism.mjs'

/** @typedef {import('./targets.mjs').Target} Target */

const folder = join(here, 'servers')

/** Installs the frameworks. */
export const installServers = () => install('servers')

/** Starts a server, which prints the URL of its document. @param {string} file */
async function startServer(file) {
  const child = spawn(process.execPath, [join(folder, file)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  child.stdout.resume()
  return { url: new URL(url), stop }
}

/** @param {string} name @param {string} framework @param {string} file @returns {Target} */
const published = (name, framework, file) => ({
  name: `${name} ${readManifest(folder).dependencies[framework]}`,
  start: async (work) => {
    const { url, stop } = await startServer(file)
    const document = join(work, `openapi${url.pathname.slice(url.pathname.lastIndexOf('.'))}`)
    writeFileSync(document, await (await fetch(url)).text())
    return { url: url.origin, description: [document], stop }
  },
})

/** @type {readonly Target[]} */
export const foreignTargets = [
  published('Fastify', 'fastify', 'fastify.mjs'),
  published('NestJS', '@nestjs/core', 'nest.mjs'),
  published('Express with express-openapi-validator', 'express-openapi-validator', 'express.mjs'),
  published('hapi', '@hapi/hapi', 'hapi.mjs'),
  {
    name: `Prism ${readManifest(here).dependencies['@stoplight/prism-cli']}`,
    start: async () => {
      const document = join(folder, 'express.yaml')
      const { url, stop } = await startPrism('mock', document)
      return { url, description: [document], stop }
    },
  },
]
