/** `trustProxy`: the address of the client behind load balancers, and the parser of addresses, which agrees with Node's. */
import { BlockList, isIP, isIPv6 } from 'node:net'
import * as fc from 'fast-check'
import { endpoint, ok, text } from 'lapidary'
import { compose, trustProxy } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { parseIpAddress, parseNetwork } from '../../src/http/ipAddress.ts'
import { createRequest } from '../support/httpRequest.ts'
import { listen } from '../support/matrix/adapters.ts'
import { samples } from '../support/samples.ts'

const networks = ['10.0.0.0/8', 'fd00::/64', 'fe80::/10']
const blockList = new BlockList()
blockList.addSubnet('10.0.0.0', 8)
blockList.addSubnet('fd00::', 64, 'ipv6')
blockList.addSubnet('fe80::', 10, 'ipv6')

const server = serve({ me: endpoint('GET /me', { response: ok(text) }) }, { me: (_input, { remoteAddress }) => remoteAddress })

describe.each([
  ['texts', networks],
  ['a BlockList', blockList],
])('with %s', (_what, proxies) => {
  const handler = compose([trustProxy(proxies)], server)

  test.each([
    ['there is no proxy', '192.0.2.7', undefined, '192.0.2.7'],
    ['a client writes the header itself', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
    ['the proxy names the client', '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['the proxy adds the client to what that has made up', '10.0.0.1', '198.51.100.1, 192.0.2.7', '192.0.2.7'],
    ['two proxies, one behind the other', '10.0.0.1', '192.0.2.7, 10.9.9.9', '192.0.2.7'],
    ['only proxies', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['the proxy names no client', '10.0.0.1', undefined, '10.0.0.1'],
    ['the proxy names nonsense', '10.0.0.1', '192.0.2.7, unknown', '10.0.0.1'],
    ['the proxy names an address with a no-break space', '10.0.0.1', '198.51.100.1, \xa0192.0.2.7', '10.0.0.1'],
    ['the proxy names an address with a port', '10.0.0.1', '192.0.2.7:443', '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['an IPv4 proxy, seen by IPv6', '::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['an IPv4 proxy that names an IPv4 client by IPv6', '10.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
    ['an IPv6 client', '10.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['an IPv6 proxy', 'fd00::1', '2001:db8::7', '2001:db8::7'],
    ['an address beside the networks that are trusted', '11.0.0.1', '192.0.2.7', '11.0.0.1'],
    ['an adapter without addresses', '', '192.0.2.7', ''],
  ])('%s', async (_case, remoteAddress, header, expected) => {
    const request = createRequest('/me', header === undefined ? {} : { 'x-forwarded-for': header })
    request.remoteAddress = remoteAddress
    expect((await handler(request)).body).toBe(expected)
  })
})

test('over a socket', async () => {
  const { url, close } = await listen(compose([trustProxy(['127.0.0.1'])], server))
  const response = await fetch(`${url}/me`, { headers: { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7' } })
  expect(await response.text()).toBe('198.51.100.7')
  await close({ drain: 0 })
})

test.each(['10.0.0.0/33', '10.0.0', 'localhost', '', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/+8', ' 10.0.0.1'])(
  '%j is no proxy',
  (proxy) => {
    expect(() => trustProxy(['10.0.0.1', proxy])).toThrow(
      new TypeError(
        `trustProxy() has the proxy ${JSON.stringify(proxy)}, expected an IP address or a network. Write it as 10.0.0.1, fd00::1 or 10.0.0.0/8.`,
      ),
    )
  },
)

test('no proxy is trusted if there is none', async () => {
  const request = createRequest('/me', { 'x-forwarded-for': '192.0.2.7' })
  request.remoteAddress = '10.0.0.1'
  expect((await compose([trustProxy([])], server)(request)).body).toBe('10.0.0.1')
})

describe('the parser of addresses agrees with Node', () => {
  const ipv6Like = fc
    .array(
      fc.oneof(
        fc.constantFrom('', '0', 'ffff', '1.2.3.4', '12345', 'g', '00', '::'),
        fc.integer({ max: 0xffff, min: 0 }).map((n) => n.toString(16)),
      ),
      {
        maxLength: 9,
      },
    )
    .map((groups) => groups.join(':'))
  const ipv4Like = fc
    .array(fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '01', 'a', '1e1')), { minLength: 1, maxLength: 5 })
    .map((bytes) => bytes.join('.'))
  const addresses = fc.oneof(fc.ipV4(), fc.ipV6())

  test('about what is an address', () => {
    fc.assert(
      fc.property(fc.oneof(addresses, ipv6Like, ipv4Like, fc.string()), (candidate) => {
        // Node accepts the zone of every address, and longer ones.
        fc.pre(!candidate.includes('%') && candidate.length <= 64)
        expect(parseIpAddress(candidate) !== undefined).toBe(isIP(candidate) !== 0)
      }),
      { numRuns: samples(2_000) },
    )
  })

  test('about what is in a network', () => {
    const length = fc.nat(128)
    fc.assert(
      fc.property(addresses, addresses, length, fc.boolean(), (network, other, bits, isNear) => {
        const isLong = isIPv6(network)
        const prefixLength = isLong ? bits : bits % 33
        const list = new BlockList()
        list.addSubnet(network, prefixLength, isLong ? 'ipv6' : 'ipv4')
        const address = isNear ? network : other
        // Node compares families as they are written, and not by what they mean.
        fc.pre(isIPv6(address) === isLong && ![network, address].some((one) => /^::ffff:|^(0+:){5}ffff:/i.test(one)))
        const parsed = parseIpAddress(address)
        expect(parsed !== undefined && parseNetwork(`${network}/${prefixLength}`)?.(parsed)).toBe(
          list.check(address, isLong ? 'ipv6' : 'ipv4'),
        )
      }),
      { numRuns: samples(2_000) },
    )
  })

  test.each([
    ['fe80::1%eth0', { family: 'ipv6', value: (0xfe80n << 112n) | 1n }],
    ['::ffff:10.0.0.1', { family: 'ipv4', value: 0x0a00_0001n }],
    ['::ffff:a00:1', { family: 'ipv4', value: 0x0a00_0001n }],
    ['10.0.0.1%eth0', undefined],
    [`${'1:'.repeat(40)}1`, undefined],
    [`::${'1'.repeat(100_000)}`, undefined],
  ])('%j', (candidate, expected) => {
    expect(parseIpAddress(candidate)).toEqual(expected)
  })
})
