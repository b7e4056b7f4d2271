/** The rules of "HTTP Conformance": what RFC 9110 and its neighbours demand of a server, held against the service over HTTP/1.1, TLS and HTTP/2. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from 'lapidary/node'
import { root } from '../places.mjs'
import { startService } from '../service.mjs'
import { createCases } from './cases.mjs'
import { plan, server } from './httpRules/api.mjs'
import { recordExchanges, servicePlan } from './httpRules/exchanges.mjs'
import { fieldRules } from './httpRules/fieldRules.mjs'
import { messageRules } from './httpRules/messageRules.mjs'
import { none } from './httpRules/rule.mjs'

export const title = 'The 106 rules of HTTP conformance'
export const about =
  'Rautenstrauch and Stock (ASIACCS 2024, doi:10.1145/3634737.3637678) collected 106 rules from the specifications. Each is held against what two servers send to several hundred requests, with TLS and without, over HTTP/1.0, HTTP/1.1 and HTTP/2: the [service](../service/README.md), and an API with cookies, redirects, PATCH, CORS, compression and the headers for browsers. Rules about malformed requests send bytes.'

export const sources = [
  { repository: 'cispa/http-conformance', commit: '24f75be73a02250729477bb4ef3a0b8108b487e4', licence: 'MIT', paths: ['testcases.py'] },
]

const rules = [...messageRules, ...fieldRules]

/** @param {string} rule @param {string} reason @returns {import('./cases.mjs').Reason} */
const refuses = (rule, reason) => ({ outcome: 'refused', reason, includes: (name) => name === rule })

/** @type {readonly import('./cases.mjs').Reason[]} */
const reasons = [
  {
    outcome: 'not applicable',
    reason: 'No server of this suite sends what the rule is about.',
    includes: (_name, found) => found === none,
  },
  refuses('code_501_unknown_methods', 'the parser of Node.js reads only methods that it knows, and the server never sees another one: 400'),
  refuses('code_405_blocked_methods', 'TRACE gets 405; CONNECT, which the server has for no resource, gets 501'),
  refuses('code_413_retry_after', 'it is not temporary: the body is too large at any time'),
  refuses(
    'range_grammar',
    'the specification of the service has `Content-Range: name a..b`, which RFC 7233 §4.2 allowed for units of its own',
  ),
  refuses('redirect_after_upgrade_insecure_requests', 'a server without TLS does not know whether another one has it'),
  refuses(
    'STS_header_after_upgrade_insecure_requests',
    'the service leaves it to its operator: the field binds a whole host for a year; the other API sends it',
  ),
  refuses(
    'sts_header_http',
    '`securityHeaders` does not know whether a proxy ends TLS; browsers ignore the field without TLS (RFC 6797 §8.1)',
  ),
]

/** The names of the rules in the program of the study. */
const readNames = (/** @type {string} */ folder) =>
  [...readFileSync(join(folder, 'testcases.py'), 'utf8').matchAll(/^class (\w+)/gm)].map(([, name]) => name)

const folder = join(root, 'service/test/support/tls')
const certificate = { TLS_KEY: join(folder, 'first.key.pem'), TLS_CERT: join(folder, 'first.cert.pem') }

/** The servers: the service and the API of this suite, without TLS and with it. Each starts, calls `use` with its URL, and ends. */
const servers = [false, true].flatMap((isSecure) => [
  {
    plan: servicePlan,
    start: async ({ createFolder }, use) => {
      const running = await startService(createFolder(`http-${isSecure}`), isSecure ? certificate : {})
      await use(isSecure ? running.url.replace('http:', 'https:') : running.url).finally(running.remove)
    },
  },
  {
    plan,
    start: async (_stage, use) => {
      const tls = { key: readFileSync(certificate.TLS_KEY), cert: readFileSync(certificate.TLS_CERT) }
      const running = await listen(server, isSecure ? { port: 0, tls } : { port: 0 })
      await use(running.url).finally(() => running.close({ drain: 0 }))
    },
  },
])

/** @param {readonly string[]} folders @param {Pick<import('../stage.mjs').Stage, 'createFolder'>} stage */
export async function run([source = ''], stage) {
  assert.deepEqual(rules.map(([name]) => name).sort(), readNames(source).sort(), 'the rules of the study')
  /** @type {Map<string, Set<string | undefined>>} */
  const found = new Map(rules.map(([name]) => [name, new Set()]))
  for (const one of servers) {
    await one.start(stage, async (url) => {
      const exchanges = await recordExchanges(url, one.plan)
      for (const [name, , , , judge] of rules) found.get(name)?.add(await judge(exchanges, url))
    })
  }
  const cases = createCases(reasons)
  for (const [name, verdicts] of found) {
    const fault = [...verdicts].find((one) => one !== undefined && one !== none)
    cases.add(name, fault ?? (verdicts.has(undefined) ? undefined : none))
  }
  return cases.list()
}

/** Each rule in a row. @param {readonly import('./cases.mjs').Case[]} cases */
export function formatCases(cases) {
  const rows = rules.map(([name, level, section, demand]) => {
    const { outcome, reason } = cases.find((one) => one.name === name) ?? {}
    return `| \`${name}\` | ${level} | ${section} | ${demand} | ${outcome === 'refused' ? `refused: ${reason}` : outcome} |`
  })
  return [
    'A rule is not applicable where no server of this suite sends what it is about.',
    ['| rule | level | source | what it demands | outcome |', '| --- | --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}
