/**
 * What the usual middleware costs: ids, a log file, CORS, security headers and a time limit, each server with what it has for them, beside the same server
 * without: `npm run bench -- middleware [--rounds 5] [--requests 20000] [--connections 50] [--results FOLDER]`.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeEnvironment, formatEnvironment, listVersions } from './environment.mjs'
import { measure } from './measure.mjs'
import { options, parseCounts } from './options.mjs'
import { formatThroughput, summarize } from './report.mjs'
import { writeResults } from './results.mjs'

/** The packages of each server. */
const packages = {
  lapidary: ['lapidary', 'zod', 'pino'],
  fastify: ['fastify', '@fastify/cors', '@fastify/helmet'],
  hono: ['hono', '@hono/node-server', '@hono/zod-validator', 'zod', 'pino'],
}

/** Each server without the middleware and with it. @type {readonly import('./frameworks.mjs').Framework[]} */
const frameworks = Object.entries(packages).flatMap(([name, installed]) => {
  const file = fileURLToPath(new URL(`middleware/${name}.mjs`, import.meta.url))
  const shared = { file, title: name, packages: installed, dialect: 'browser', without: {}, runtime: /** @type {const} */ ('node') }
  return [
    { ...shared, name, words: ['none'] },
    { ...shared, name: `${name} with all`, words: ['all'] },
  ]
})

/** @param {readonly string[]} words */
export async function run(words) {
  const { quick, rounds, requests, connections, results } = options
  const { values } = parseArgs({ args: [...words], options: { quick, rounds, requests, connections, results } })
  const setup = parseCounts(values)
  const environment = describeEnvironment(listVersions(frameworks.flatMap(({ packages: installed }) => installed)))
  const samples = await measure({ names: ['hello', 'users100'], frameworks, ...setup })
  const summary = summarize(samples)
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(formatThroughput(summary))
  if (values.results !== undefined) writeResults(values.results, 'middleware', { about: { ...environment, ...setup }, summary, samples })
}
