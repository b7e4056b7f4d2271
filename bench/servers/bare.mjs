/** The yardstick: node:http by hand, with every check that a careful person would write, and nothing else. */
import { isUtf8 } from 'node:buffer'
import { createServer } from 'node:http'
import { ready } from './ready.mjs'

const bodyLimit = 1_048_576

/** @param {import('node:http').ServerResponse} response @param {number} status @param {unknown} value */
function send(response, status, value) {
  const text = JSON.stringify(value)
  const length = `${Buffer.byteLength(text)}`
  response.writeHead(status, ['Content-Type', 'application/json;charset=utf-8', 'Content-Length', length])
  response.end(text)
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {string} detail */
const refuse = (response, status, detail) => send(response, status, { type: 'about:blank', status, detail })

/** Throws URIError where the encoding is bad. @param {string} text */
function decoded(text) {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
}

/**
 * The values of one query parameter, in order.
 * @param {string} query
 * @param {string} wanted
 */
function valuesOf(query, wanted) {
  const values = []
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    if (equals >= 0 && decoded(pair.slice(0, equals)) === wanted) values.push(decoded(pair.slice(equals + 1)))
  }
  return values
}

/** NaN for anything but a whole number that can be kept exactly. @param {string} text */
function integer(text) {
  const value = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : Number.NaN
}

/** @param {any} value */
const isClientInfo = (value) =>
  typeof value === 'object' &&
  value !== null &&
  typeof value.clientName === 'string' &&
  typeof value.clientEmail === 'string' &&
  Number.isSafeInteger(value.clientAge) &&
  Array.isArray(value.clientInterestedIn) &&
  value.clientInterestedIn.every((/** @type {unknown} */ interest) => typeof interest === 'string')

/** @param {string} query @param {import('node:http').ServerResponse} response */
function hello(query, response) {
  let names
  try {
    names = query === '' ? [] : valuesOf(query, 'name')
  } catch {
    return refuse(response, 400, 'name: expected percent-encoded UTF-8')
  }
  if (names.length > 1) return refuse(response, 400, 'name: expected one value')
  send(response, 200, { msg: `Hello, ${names[0] ?? 'anonymous coward'}` })
}

/** @param {string} path @param {import('node:http').ServerResponse} response */
function position(path, response) {
  const slash = path.indexOf('/', 10)
  if (slash <= 10 || slash === path.length - 1 || path.indexOf('/', slash + 1) >= 0)
    return refuse(response, 404, 'There is nothing at this path.')
  const xCoord = integer(path.slice(10, slash))
  const yCoord = integer(path.slice(slash + 1))
  if (Number.isNaN(xCoord) || Number.isNaN(yCoord)) return refuse(response, 400, 'expected two integers')
  send(response, 200, { xCoord, yCoord })
}

/** @param {Buffer} bytes @param {import('node:http').ServerResponse} response */
function email(bytes, response) {
  if (!isUtf8(bytes)) return refuse(response, 400, 'expected UTF-8')
  let client
  try {
    client = JSON.parse(bytes.toString())
  } catch {
    return refuse(response, 400, 'expected JSON')
  }
  if (!isClientInfo(client)) return refuse(response, 400, 'expected clientName, clientEmail, clientAge and clientInterestedIn')
  const { clientName, clientEmail, clientAge, clientInterestedIn } = client
  send(response, 200, {
    from: 'great@company.com',
    to: clientEmail,
    subject: `Hey ${clientName}, we miss you!`,
    body: `Hi ${clientName},\n\nSince you've recently turned ${clientAge}, have you checked out our latest ${clientInterestedIn.join(', ')} products? Give us a visit!`,
  })
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
function marketing(request, response) {
  const type = request.headers['content-type']
  if (type !== 'application/json' && type?.split(';', 1)[0].trim().toLowerCase() !== 'application/json') {
    return refuse(response, 415, 'expected application/json')
  }
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  request.on('data', (chunk) => {
    length += chunk.length
    if (length <= bodyLimit) chunks.push(chunk)
  })
  request.on('end', () => {
    if (length > bodyLimit) refuse(response, 413, `expected at most ${bodyLimit} bytes`)
    else email(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length), response)
  })
}

const server = createServer((request, response) => {
  const { method, url = '/' } = request
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const reading = method === 'GET' || method === 'HEAD'
  if (path === '/hello') {
    if (reading) hello(question < 0 ? '' : url.slice(question + 1), response)
    else refuse(response, 405, 'expected GET')
  } else if (path.startsWith('/position/')) {
    if (reading) position(path, response)
    else refuse(response, 405, 'expected GET')
  } else if (path === '/marketing') {
    if (method === 'POST') marketing(request, response)
    else refuse(response, 405, 'expected POST')
  } else refuse(response, 404, 'There is nothing at this path.')
})

server.listen(0, '127.0.0.1', () => ready(server.address().port))
