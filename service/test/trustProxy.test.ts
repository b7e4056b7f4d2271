/** The address of the client behind load balancers. */

import { expect, test } from 'vitest'
import { readSettings } from '../src/settings.ts'
import { clientAddress } from '../src/trustProxy.ts'

import { serviceOfTest } from './service.ts'
import { ask, type Sent, withHeaders } from './specification/ask.ts'

const trusted = (text: string) => readSettings({ TRUSTED_PROXIES: text }).trustedProxies ?? neverTrusted()
const neverTrusted = (): never => {
  throw new Error('These settings trust no proxy.')
}

test.each([
  ['there is no proxy', '192.0.2.7', undefined, '192.0.2.7'],
  ['a client writes the header itself', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['the proxy names the client', '10.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['the proxy adds the client to what that has made up', '10.0.0.1', '198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['two proxies, one behind the other', '10.0.0.1', '192.0.2.7, 10.9.9.9', '192.0.2.7'],
  ['only proxies', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
  ['the proxy names no client', '10.0.0.1', undefined, '10.0.0.1'],
  ['the proxy names nonsense', '10.0.0.1', '192.0.2.7, unknown', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['an IPv4 proxy, seen by IPv6', '::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['an IPv6 client', '10.0.0.1', '2001:db8::7', '2001:db8::7'],
  ['an IPv6 proxy', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['an address beside the networks that are trusted', '11.0.0.1', '192.0.2.7', '11.0.0.1'],
])('%s', (_what, remote, header, expected) => {
  expect(clientAddress(remote, header, trusted('10.0.0.0/8, fd00::/64'))).toBe(expected)
})

const wrong = (from: string, forwarded: string): Sent => ({
  ...withHeaders('GET /users/list-all', { Authorization: 'Basic YW5uOng=', 'X-Forwarded-For': forwarded }),
  from,
})

test('behind a trusted proxy failed attempts count for each client, and no client can impersonate another', async () => {
  const { main } = await serviceOfTest({ environment: { TRUSTED_PROXIES: '127.0.0.2' } })
  const named = (client: string, name: string): Sent => {
    const credentials = Buffer.from(`${name}:x`).toString('base64')
    return { ...wrong('127.0.0.2', client), headers: { Authorization: `Basic ${credentials}`, 'X-Forwarded-For': client } }
  }
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await ask(main, named('192.0.2.1', `user ${attempt}`))).status).toBe(401)
  expect((await ask(main, named('192.0.2.1', 'another'))).status).toBe(429)
  expect((await ask(main, named('192.0.2.2', 'somebody'))).status).toBe(401)
  // Without a trusted proxy the header is ignored.
  expect((await ask(main, wrong('127.0.0.3', '192.0.2.1'))).status).toBe(401)
})

test.each(['10.0.0.0/33', '10.0.0', 'localhost', '10.0.0.1,,', '::1/129', '10.0.0.0/', '10.0.0.0/8/8'])(
  '%j is not a list of proxies',
  (text) => {
    expect(() => readSettings({ TRUSTED_PROXIES: text })).toThrow(
      /^TRUSTED_PROXIES is ".*": expected IP addresses or networks such as 10\.0\.0\.0\/8, separated by commas\.$/,
    )
  },
)
