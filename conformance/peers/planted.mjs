/** Servers with a fault of the protocol, out of the tests of the check. They are loaded with tsx. */
import { join } from 'node:path'
import { listen } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { planted } from '../../packages/testing/test/support/detection/allPlanted.ts'
import { startServer } from '../../scripts/startServer.mjs'
import { here, root } from '../places.mjs'

/**
 * Those whose requests need what no document says how to make (two credentials at once, a signature), those that serve no request at all,
 * and streams without an end.
 */
const leftOut = [
  ...['either', 'both', 'optional credentials', 'invalid credentials', 'authScheme', 'receiveWebhook', 'webhookSignature'],
  ...['errors', 'problem', 'group', 'timeout', 'rateLimit', 'events'],
]

/** What a rule is about, as a row of the table. */
const groups = {
  credentials: ['credentials', 'wrong-credentials', 'challenge', 'scopes'],
  'invalid requests': ['query', 'request-headers', 'captures', 'cookies', 'request-body', 'content-type', 'body-size', 'form'],
  responses: ['status', 'no-server-error', 'body', 'undeclared-members', 'complete', 'problem', 'timeout', 'retry-after'],
  'response headers': ['headers', 'set-cookie', 'vary', 'accept', 'accept-patch', 'rate-limit', 'location'],
  methods: ['methods', 'options', 'head', 'put', 'delete'],
  'pages, downloads, conditions': ['pagination', 'download', 'idempotent', 'lost-updates', 'etag'],
}
const findGroup = (rule) => Object.keys(groups).find((group) => groups[group].includes(rule))

const serve = (handler) => listen(handler, { onError: () => {}, port: 0, host: '127.0.0.1' })

/** Starts a fresh server. @param {...string} words  the system and the fault */
async function start(...words) {
  const { child, url } = await startServer(['--import', 'tsx', join(here, 'peers/plantedServer.mjs'), ...words], root)
  child.stdout.resume()
  return { url, close: () => child.kill('SIGKILL') }
}

/** The document of some faults. OpenAPI cannot tell all APIs. */
async function describe({ api }) {
  try {
    return await openapi(api, { title: 'Planted', version: '1.0.0', openapi: '3.0' })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The first fault of each rule: no one has chosen them. @returns {Promise<readonly import('./faults.mjs').FaultySystem[]>} */
export async function createPlanted() {
  const rules = new Set()
  const systems = []
  for (const one of planted) {
    if (one.words.some((word) => leftOut.includes(word))) continue
    const document = await describe(one)
    const [right] = one.right
    if (document === undefined || right === undefined || systems.some(({ name }) => name === one.words.join(' '))) continue
    // A key in a cookie or a query is in no option of Dredd.
    if (Object.values(document.components?.securitySchemes ?? {}).some((scheme) => (scheme.in ?? 'header') !== 'header')) continue
    const faults = one.faults.filter(([, , rule]) => !rules.has(rule) && rules.add(rule))
    if (faults.length === 0) continue
    const name = one.words.join(' ')
    systems.push({
      name,
      document,
      charset: ';charset=utf-8',
      credentials: Object.values(one.options?.credentials ?? {})[0],
      examples: { id: name === 'created' ? 0 : 1, size: 5 },
      serveRight: () => serve(right),
      startRight: () => start(name),
      faults: faults.map(([words, server, rule]) => {
        const sentence = `${rule}: ${words}`
        return { group: findGroup(rule), sentence, serve: () => serve(server), start: () => start(name, sentence) }
      }),
    })
  }
  return systems
}
