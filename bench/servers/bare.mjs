/** The baseline: node:http by hand, with every check that a careful person would write, and nothing else. */
import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { bodyLimit, isClientInfo, isJson, isNamed, positionIn, tagOf, valueIn } from './checks.mjs'
import { email, greeting, hundred, many, thousand } from './data.mjs'
import { pageOf } from './pages.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

/** @typedef {import('node:http').ServerResponse} Response */

/** @param {Response} response @param {number} status @param {unknown} value @param {readonly string[]} others  headers and their values in turn */
function send(response, status, value, others = []) {
  const text = JSON.stringify(value)
  const length = `${Buffer.byteLength(text)}`
  response.writeHead(status, ['Content-Type', 'application/json;charset=utf-8', 'Content-Length', length, ...others])
  response.end(text)
}

/** @param {Response} response @param {number} status @param {string} detail */
const refuse = (response, status, detail) => send(response, status, { type: 'about:blank', status, detail })

/** @param {Response} response @param {string} query */
function hello(response, query) {
  let name
  try {
    name = valueIn(query, 'name')
  } catch (failure) {
    return refuse(response, 400, failure.message)
  }
  send(response, 200, greeting(name))
}

/** @param {Response} response @param {string} path */
function position(response, path) {
  const found = positionIn(path)
  if (found === undefined) return refuse(response, 404, 'There is nothing at this path.')
  if (Number.isNaN(found.xCoord) || Number.isNaN(found.yCoord)) return refuse(response, 400, 'expected two integers')
  send(response, 200, found)
}

/** @param {Response} response @param {Buffer} bytes */
function answerMarketing(response, bytes) {
  if (!isUtf8(bytes)) return refuse(response, 400, 'expected UTF-8')
  let client
  try {
    client = JSON.parse(bytes.toString())
  } catch {
    return refuse(response, 400, 'expected JSON')
  }
  if (!isClientInfo(client)) return refuse(response, 400, 'expected clientName, clientEmail, clientAge and clientInterestedIn')
  send(response, 200, email(client))
}

/** @param {Response} response @param {import('node:http').IncomingMessage} request */
function marketing(response, request) {
  if (!isJson(request.headers['content-type'])) return refuse(response, 415, 'expected application/json')
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  request.on('data', (chunk) => {
    length += chunk.length
    if (length <= bodyLimit) chunks.push(chunk)
  })
  request.on('end', () => {
    if (length > bodyLimit) refuse(response, 413, `expected at most ${bodyLimit} bytes`)
    else answerMarketing(response, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length))
  })
}

/** @param {Response} response @param {string | undefined} condition */
function tagged(response, condition) {
  const text = JSON.stringify(hundred)
  const tag = tagOf(text)
  if (isNamed(condition, tag)) {
    response.writeHead(304, ['ETag', tag])
    return response.end()
  }
  const length = `${Buffer.byteLength(text)}`
  response.writeHead(200, ['Content-Type', 'application/json;charset=utf-8', 'ETag', tag, 'Content-Length', length])
  response.end(text)
}

/** @param {Response} response @param {string} query */
function colors(response, query) {
  let after
  try {
    after = valueIn(query, 'after')
  } catch (failure) {
    return refuse(response, 400, failure.message)
  }
  if (after === undefined) return refuse(response, 400, 'after: expected a name')
  const { items, headers } = pageOf(rows, after)
  send(response, 200, items, Object.entries(headers).flat())
}

/** As fast as the reader reads. @param {Response} response */
async function stream(response) {
  response.writeHead(200, ['Content-Type', 'application/x-ndjson'])
  for await (const user of many()) {
    if (!response.write(`${JSON.stringify(user)}\n`)) await once(response, 'drain')
    if (response.destroyed) return
  }
  response.end()
}

/** Everything that is read, by its path. @type {Record<string, (response: Response, query: string, request: import('node:http').IncomingMessage) => unknown>} */
const readable = {
  '/hello': hello,
  '/hundred': (response) => send(response, 200, hundred),
  '/thousand': (response) => send(response, 200, thousand),
  '/stored': (response) => send(response, 200, rows.users()),
  '/tagged': (response, _, request) => tagged(response, request.headers['if-none-match']),
  '/colors': colors,
  '/stream': stream,
}
const paths = new Map(Object.entries(readable))

const server = createServer((request, response) => {
  const { method, url = '/' } = request
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const reading = method === 'GET' || method === 'HEAD'
  const answer = paths.get(path)
  if (answer !== undefined) {
    if (reading) answer(response, question < 0 ? '' : url.slice(question + 1), request)
    else refuse(response, 405, 'expected GET')
  } else if (path.startsWith('/position/')) {
    if (reading) position(response, path)
    else refuse(response, 405, 'expected GET')
  } else if (path === '/marketing') {
    if (method === 'POST') marketing(response, request)
    else refuse(response, 405, 'expected POST')
  } else refuse(response, 404, 'There is nothing at this path.')
})

server.listen(0, '127.0.0.1', () => ready(server.address().port))
