/** The requests that every server gets, as bytes on the wire, and the responses that are expected. */
import { isDeepStrictEqual } from 'node:util'
import { color } from './ranges/colors.mjs'
import { pageSize, pageStart, thousand, users } from './servers/data.mjs'

/**
 * @typedef {object} WorkloadRequest
 * @property {string} request  one whole HTTP/1.1 request, sent as UTF-8
 * @property {number} status   of every response
 */

/**
 * @typedef {object} Dialects
 * @property {Readonly<Record<string, WorkloadRequest>>} [dialects]  other requests with the same meaning, for servers that need them, by the name of the dialect
 * @property {boolean} [isConditional]                      whether the entity tag of a first response is sent
 * @property {Readonly<Record<string, RegExp>>} [headers]   patterns of the values of response headers, by their names in lower case; others are not checked
 * @property {(text: string) => boolean} [isBody]           whether the body of the response is correct; without it every body is
 * @property {number} weight                                about how many greetings one costs, so that each workload takes about as long
 */

/** @typedef {WorkloadRequest & Dialects} Workload */

const rest = 'Host: 127.0.0.1\r\nAccept: */*\r\n'

/** @param {string} target */
export const get = (target, headers = '') => `GET ${target} HTTP/1.1\r\n${rest}${headers}\r\n`

/** @param {string} target @param {string} body */
export const post = (target, body, type = 'application/json') =>
  `POST ${target} HTTP/1.1\r\n${rest}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** A request that has a condition besides. @param {string} request @param {string} tag */
export const addCondition = (request, tag) => request.replace('\r\n', () => `\r\nIf-None-Match: ${tag}\r\n`)

/** As a page of another origin sends it. */
const origin = 'Origin: https://example.org\r\n'

const createJsonCheck = (/** @type {unknown} */ value) => (/** @type {string} */ text) => isDeepStrictEqual(JSON.parse(text), value)

export const client = { clientName: 'Ann', clientEmail: 'ann@example.com', clientAge: 26, clientInterestedIn: ['haskell', 'mathematics'] }

const page = thousand
  .map((_, row) => color(row))
  .filter(({ name }) => name > pageStart)
  .sort((one, other) => (one.name < other.name ? -1 : 1))
  .slice(0, pageSize)

const lines = users(10_000)
  .map((user) => `${JSON.stringify(user)}\n`)
  .join('')

/** @type {Record<string, Workload>} */
export const workloads = {
  hello: {
    ...{ request: get('/hello?name=Ann'), status: 200, isBody: createJsonCheck({ msg: 'Hello, Ann' }), weight: 1 },
    dialects: { browser: { request: get('/hello?name=Ann', origin), status: 200 } },
  },
  position: { request: get('/position/1/2'), status: 200, isBody: createJsonCheck({ xCoord: 1, yCoord: 2 }), weight: 1 },
  marketing: {
    request: post('/marketing', JSON.stringify(client)),
    status: 200,
    isBody: createJsonCheck({
      from: 'great@company.com',
      to: 'ann@example.com',
      subject: 'Hey Ann, we miss you!',
      body: "Hi Ann,\n\nSince you've recently turned 26, have you checked out our latest haskell, mathematics products? Give us a visit!",
    }),
    weight: 1,
  },
  users100: {
    ...{ request: get('/hundred'), status: 200, isBody: createJsonCheck(users(100)), weight: 3 },
    dialects: { browser: { request: get('/hundred', origin), status: 200 } },
  },
  users1000: { request: get('/thousand'), status: 200, isBody: createJsonCheck(thousand), weight: 20 },
  sqlite: { request: get('/stored'), status: 200, isBody: createJsonCheck(users(100)), weight: 10 },
  unchanged: { request: get('/tagged'), status: 304, isConditional: true, weight: 5 },
  missing: { request: get('/nothing/here'), status: 404, weight: 1 },
  page: {
    request: get(`/colors?after=${encodeURIComponent(pageStart)}`),
    status: 200,
    dialects: {
      ranges: { request: get('/colors', `Range: name ${encodeURIComponent(pageStart)}; limit ${pageSize}; order asc\r\n`), status: 206 },
    },
    // Every paging API has to tell the client how to go on.
    headers: { 'total-count': /^1000$/, link: /^<\/colors\?[^>]+>; rel="next"$/ },
    isBody: createJsonCheck(page),
    weight: 10,
  },
  stream: { request: get('/stream'), status: 200, isBody: (text) => text === lines, weight: 500 },
}
