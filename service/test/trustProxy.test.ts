/** TRUSTED_PROXIES: failed attempts count for the client behind load balancers. */

import { expect, test } from 'vitest'
import { readSettings } from '../src/settings.ts'
import { type Sent, send, withHeaders } from './specification/send.ts'
import { serviceOfTest } from './support/service.ts'

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
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await send(main, named('192.0.2.1', `user ${attempt}`))).status).toBe(401)
  expect((await send(main, named('192.0.2.1', 'another'))).status).toBe(429)
  expect((await send(main, named('192.0.2.2', 'somebody'))).status).toBe(401)
  // Without a trusted proxy the header is ignored.
  expect((await send(main, wrong('127.0.0.3', '192.0.2.1'))).status).toBe(401)
})

test.each(['10.0.0.0/33', '10.0.0', 'localhost', '10.0.0.1,,', '::1/129', '10.0.0.0/', '10.0.0.0/8/8'])(
  '%j is not a list of proxies',
  (text) => {
    expect(() => readSettings({ TRUSTED_PROXIES: text })).toThrow(
      /^TRUSTED_PROXIES is ".*": expected IP addresses or networks such as 10\.0\.0\.0\/8, separated by commas\.$/,
    )
  },
)
