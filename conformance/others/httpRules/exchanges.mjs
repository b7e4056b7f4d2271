/** The exchanges that the rules are held against. */
import { account, token } from '../../service.mjs'
import { sendHttp2, sendRequest } from './record.mjs'

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']

const basic = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`
const json = { 'content-type': 'application/json' }

/**
 * The requests to a server.
 *
 * @typedef {object} Plan
 * @property {readonly string[]} targets  each gets every method, and conditional requests
 * @property {readonly (readonly [method: string, target: string, headers?: Readonly<Record<string, string>>, body?: string, version?: '1.0'])[]} special
 */

/** The requests to the service: some are too large, of another type, unauthorized or in the wrong range. @type {Plan} */
export const servicePlan = {
  targets: [
    '/',
    '/hello?name=Ann',
    '/users',
    '/users/1',
    '/products',
    '/persons',
    '/userStream',
    '/colors',
    '/secret',
    '/list-all/users',
    '/static/hello.txt',
    '/openapi.json',
    '/docs',
    '/favicon.ico',
    '/headers/both',
    '/echo/unavailable',
    '/health/ready',
    '/nowhere',
  ],
  special: [
    ['POST', '/echo/json', json, '[1]'],
    ['POST', '/echo/json', { 'content-type': 'text/csv' }, '[1]'],
    ['POST', '/echo/json', json, '[1'],
    ['POST', '/echo/json', { ...json, 'content-length': '999999999' }, 'x'],
    ['POST', '/echo/bytes', { 'content-type': 'application/octet-stream' }, 'abc'],
    ['POST', '/users', json, '{}'],
    ['GET', '/users?sortby=x', {}],
    ['GET', '/hello', { accept: 'image/png' }],
    ['GET', '/list-all/users', { authorization: basic }],
    ['GET', '/secret', { authorization: `Bearer ${token}` }],
    ['POST', '/secret', { ...json, authorization: `Bearer ${token}` }, '"a"'],
    ['GET', '/secret', { authorization: 'Bearer wrong' }],
    ['GET', '/colors', { range: 'name a..b; max 1000000' }],
    ['GET', '/static/hello.txt', { range: 'bytes=0-3' }],
    ['GET', '/static/hello.txt', { range: 'bytes=999-' }],
    [
      'OPTIONS',
      '/users',
      { origin: 'http://a.example', 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
    ],
    ['GET', '/users', { origin: 'http://a.example' }],
    ['GET', '/openapi.json', { 'accept-encoding': 'gzip' }],
    ['GET', '/hello', { connection: 'upgrade, close', upgrade: 'websocket' }],
    ['GET', '/hello', { connection: 'upgrade, close', upgrade: 'https', expect: '100-continue' }],
    ['GET', '/hello', { 'upgrade-insecure-requests': '1' }],
    ['GET', '/hello', {}, '', '1.0'],
    ['GET', '/userStream', {}, '', '1.0'],
  ],
}

const getHeader = ({ responses }, name) => responses.at(-1)?.headers.find(([field]) => field === name)?.[1]

/**
 * Sends all requests to a server.
 *
 * @param {string} url
 * @param {Plan} plan
 * @returns {Promise<readonly import('./record.mjs').Exchange[]>}
 */
export async function recordExchanges(url, { targets, special }) {
  const exchanges = []
  for (const target of targets) {
    const plain = await sendRequest(url, 'GET', target)
    exchanges.push(plain)
    for (const method of methods.slice(1)) exchanges.push(await sendRequest(url, method, target))
    const etag = getHeader(plain, 'etag')
    const modified = getHeader(plain, 'last-modified')
    if (etag !== undefined) exchanges.push(await sendRequest(url, 'GET', target, { 'if-none-match': etag }))
    if (modified !== undefined) exchanges.push(await sendRequest(url, 'GET', target, { 'if-modified-since': modified }))
  }
  for (const [method, target, headers, body, version] of special)
    exchanges.push(await sendRequest(url, method, target, headers, body, version))
  if (url.startsWith('https:'))
    exchanges.push(
      ...(await sendHttp2(
        url,
        targets.flatMap((target) => ['GET', 'HEAD'].map((method) => [method, target])),
      )),
    )
  return exchanges
}
