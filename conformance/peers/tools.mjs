/** The tools, each with what its guide asks for. A tool returns the names of the failures that it reports, or undefined if it tested nothing. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { here, readManifest, root } from '../places.mjs'
import { startPrism } from '../prism.mjs'
import { resolve } from './examples.mjs'
import { limit, runTool } from './programs.mjs'
import { bySequence } from './results.mjs'

/**
 * @typedef {object} Task
 * @property {any} document
 * @property {string} url          of the server
 * @property {string} folder       an empty one
 * @property {string} charset    the parameter of JSON and text in Content-Type
 * @property {any} [credentials]
 *
 * @typedef {object} Tool
 * @property {string} name         with its version
 * @property {string} given        what it gets
 * @property {(task: Task) => Promise<readonly string[] | undefined>} run
 */

const installed = join(here, 'peers/tools/node_modules')
const version = (name) => readManifest(join(installed, name)).version

function writeJson(folder, name, value) {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

/** The header that has the credentials, and how each tool takes them. */
function findCredentials({ document, credentials }) {
  if (credentials === undefined) return { header: [], flags: [], variables: {} }
  const [scheme] = Object.values(document.components.securitySchemes)
  if (scheme.type === 'apiKey')
    return { header: [`${scheme.name}: ${credentials}`], flags: ['--api-key', credentials], variables: { apiKey: credentials } }
  if (scheme.scheme === 'basic') {
    const { username, password } = credentials
    return {
      header: [`Authorization: Basic ${btoa(`${username}:${password}`)}`],
      flags: ['--user', `${username}:${password}`],
      variables: { basicAuthUsername: username, basicAuthPassword: password },
    }
  }
  return { header: [`Authorization: Bearer ${credentials}`], flags: ['--token', credentials], variables: { bearerToken: credentials } }
}

const getCharset = (type, charset) => (/html/.test(type) ? '; charset=utf-8' : /json|plain/.test(type) ? charset : '')

/**
 * Dredd expects every response of the document from the same request, with all headers and with Content-Type as it stands there, and sends
 * each optional parameter. So it gets the successes alone, without what is optional.
 */
function keepSuccesses(document, charset) {
  const copy = structuredClone(document)
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    if (operation.responses === undefined) continue
    const [status] = Object.keys(operation.responses)
    const { headers = {}, content = {}, ...response } = resolve(document, operation.responses[status])
    operation.responses = {}
    const required = Object.entries(headers).filter(([, header]) => header.required)
    const contents = Object.entries(content).map(([type, value]) => [type + getCharset(type, charset), value])
    operation.responses[status] = {
      ...response,
      ...(required.length > 0 && { headers: Object.fromEntries(required) }),
      ...(contents.length > 0 && { content: Object.fromEntries(contents) }),
    }
    operation.parameters = operation.parameters?.filter((one) => resolve(document, one).required)
  }
  return copy
}

/** @type {Tool} */
const dredd = {
  name: `Dredd ${version('dredd')}`,
  given: 'the document with the successful responses and the required parameters alone, each with an example',
  run: async (task) => {
    const file = writeJson(task.folder, 'openapi.json', keepSuccesses(task.document, task.charset))
    const headers = findCredentials(task).header.flatMap((line) => ['--header', line])
    const output = await runTool([join(installed, 'dredd/bin/dredd'), file, task.url, ...headers], task.folder)
    if (!/complete: \d+ passing/.test(output)) return undefined
    return [...output.matchAll(/^fail: (.*?) duration: /gm)].map(([, name]) => name)
  },
}

const everywhere = { openApiOperation: '*::/*' }
const enabled = { enabled: true }
const invalid = Object.fromEntries(
  ['requiredFields', 'minimumNumberFields', 'maximumNumberFields', 'minLengthFields', 'maxLengthFields'].map((name) => [name, enabled]),
)
/** All contract tests, and its invalid values where the document has 400. */
const createPortmanConfig = (variables) => ({
  version: 1,
  tests: {
    contractTests: ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent'].map((name) => ({
      ...everywhere,
      [name]: enabled,
    })),
    variationTests: [
      {
        ...everywhere,
        openApiResponse: '400',
        variations: [
          {
            name: 'invalid',
            fuzzing: [{ requestBody: [invalid] }, { requestQueryParams: [invalid] }, { requestHeaders: [invalid] }],
            tests: { contractTests: [{ statusCode: { enabled: true, code: 400 } }, { schemaValidation: enabled }] },
          },
        ],
      },
    ],
  },
  globals: { collectionVariables: variables },
})

/** @type {Tool} */
const portman = {
  name: `Portman ${version('@apideck/portman')}`,
  given: 'a configuration with all contract tests, and with its invalid values for each endpoint that declares 400',
  run: async (task) => {
    const { folder, url } = task
    const document = writeJson(folder, 'openapi.json', task.document)
    const config = writeJson(folder, 'portman.json', createPortmanConfig(findCredentials(task).variables))
    const words = ['-l', document, '-b', url, '-c', config, '--output', join(folder, 'collection.json'), '--runNewman']
    const output = await runTool([join(installed, '@apideck/portman/bin/portman'), ...words], folder)
    if (output.includes('Collection run completed.')) return []
    // Each name begins with the method: `[GET]::/stones - Status code is 2xx, [GET]::/stones - Content-Type is application/json`.
    return /Newman run failed with: \n(.*)/.exec(output)?.[1]?.split(/, (?=\[[A-Z]+\]::)/)
  },
}

/** Runs `lapidary check` with an OpenAPI document, and returns its report. @param {Task} task @param {readonly string[]} options */
async function runCheck(task, options) {
  const document = writeJson(task.folder, 'openapi.json', task.document)
  const report = join(task.folder, 'report.json')
  const words = [
    'check',
    document,
    '--url',
    task.url,
    '--seed',
    '1',
    '--seconds',
    `${limit - 10}`,
    '--format',
    `json=${report}`,
    ...options,
  ]
  await runTool([join(root, 'packages/cli/bin/lapidary.js'), ...words, ...findCredentials(task).flags], task.folder)
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
}

/** @type {Tool} */
const prism = {
  name: `Prism ${readManifest(here).dependencies['@stoplight/prism-cli']}, proxy`,
  given: 'the requests of `lapidary check --write --requests 200`, since it sends none itself',
  run: async (task) => {
    const document = writeJson(task.folder, 'openapi.json', task.document)
    const proxy = await startPrism('proxy', document, task.url).catch(() => undefined)
    if (proxy === undefined) return undefined
    const { url, stop, ended, lines } = proxy
    await runCheck({ ...task, url }, ['--write', '--requests', '200'])
    stop()
    await ended
    // Many of the requests are invalid: what it says about them is no fault of the server.
    return lines.flatMap((line) => /Violation: (response.*)/.exec(line)?.[1] ?? [])
  },
}

const steps = ['--steps', '500', '--clients', '4']

/** @type {Tool} */
const lapidary = {
  name: `lapidary ${readManifest(join(root, 'packages/cli')).version} check`,
  given: `\`--write ${steps.join(' ')}\``,
  run: async (task) => {
    const report = await runCheck(task, ['--write', ...steps])
    return report?.failures.map(({ endpoint, rule, steps: sequence }) => `${endpoint}: ${rule}${sequence.length > 0 ? bySequence : ''}`)
  },
}

/** @type {readonly Tool[]} */
export const tools = [dredd, portman, prism, lapidary]
