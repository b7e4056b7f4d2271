/** Servers that others wrote the frameworks of, with the documents that these servers publish. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../../scripts/startServer.mjs'
import { install } from '../install.mjs'
import { here, readManifest } from '../places.mjs'
import { startPrism } from '../prism.mjs'

/** @typedef {import('./targets.mjs').Target} Target */

const folder = join(here, 'servers')

/** Installs the frameworks. */
export const installServers = () => install('servers')

/** @param {string} name @param {string} framework @param {string} file @returns {Target} */
const published = (name, framework, file) => ({
  name: `${name} ${readManifest(folder).dependencies[framework]}`,
  start: async (work) => {
    // It prints the URL of its document.
    const { child, url: printed } = await startServer([file], folder)
    child.stdout.resume()
    const url = new URL(printed)
    const document = join(work, `openapi${url.pathname.slice(url.pathname.lastIndexOf('.'))}`)
    writeFileSync(document, await (await fetch(url)).text())
    return { url: url.origin, description: [document], stop: () => child.kill('SIGKILL') }
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
