/** Sends requests to a server, over sockets and over HTTP/2, and keeps what comes back as it came. */
import { connect as connectHttp2 } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'

/**
 * @typedef {object} Response
 * @property {number} status
 * @property {readonly (readonly [name: string, value: string])[]} headers  names in lower case
 * @property {string} head  the bytes of the head, as Latin-1; empty for HTTP/2
 * @property {Buffer} body  with its chunks decoded
 */

/**
 * @typedef {object} Exchange
 * @property {'http' | 'https'} scheme
 * @property {'1.0' | '1.1' | '2'} version  of the request
 * @property {string} method
 * @property {string} target
 * @property {Readonly<Record<string, string>>} headers  of the request, names in lower case
 * @property {readonly Response[]} responses  the last one is final
 */

const patience = 3_000

/** Sends bytes, and returns all bytes until the server closes the connection, or none have come for a while. */
const exchangeBytes = (url, bytes) =>
  /** @type {Promise<Buffer>} */ (
    new Promise((resolve) => {
      const { protocol, hostname, port } = new URL(url)
      const where = { host: hostname, port: Number(port) }
      const socket =
        protocol === 'https:' ? connectTls({ ...where, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }) : connectTcp(where)
      const chunks = []
      socket.setTimeout(patience, () => socket.destroy())
      socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
      socket.on('close', () => resolve(Buffer.concat(chunks)))
      socket.write(bytes)
    })
  )

/** The data of a chunked body. */
function decodeChunks(bytes) {
  const chunks = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (!(size > 0)) break
    chunks.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(chunks)
}

/** The responses in the bytes of a connection that ends after the last one. @returns {Response[]} */
function parseResponses(bytes) {
  const responses = []
  let rest = bytes
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const head = rest.toString('latin1', 0, end)
    const [line = '', ...fields] = head.split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0)
    const headers = fields.map((field) => {
      const colon = field.indexOf(':')
      return /** @type {const} */ ([field.slice(0, colon).toLowerCase(), field.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')])
    })
    rest = rest.subarray(end + 4)
    const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value.endsWith('chunked'))
    responses.push({ status, headers, head, body: status < 200 ? Buffer.alloc(0) : isChunked ? decodeChunks(rest) : rest })
    if (status >= 200) break
  }
  return responses
}

/**
 * Sends one request over a connection of its own.
 *
 * @param {string} url
 * @param {string} method
 * @param {string} target
 * @param {Readonly<Record<string, string>>} headers
 * @param {string} body
 * @param {'1.0' | '1.1'} version
 * @returns {Promise<Exchange>}
 */
export async function sendRequest(url, method, target, headers = {}, body = '', version = '1.1') {
  const { host, protocol } = new URL(url)
  const all = { host, connection: 'close', ...(body !== '' && { 'content-length': `${Buffer.byteLength(body)}` }), ...headers }
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = await exchangeBytes(url, `${method} ${target} HTTP/${version}\r\n${fields.join('')}\r\n${body}`)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return { scheme, version, method, target, headers: all, responses: parseResponses(bytes) }
}

/** Sends bytes that need not be a request, and returns the statuses of the responses. @param {string} url @param {string} text */
export const sendBytes = async (url, text) =>
  parseResponses(await exchangeBytes(url, Buffer.from(text, 'latin1'))).map(({ status }) => status)

/**
 * Sends requests over one connection of HTTP/2.
 *
 * @param {string} url
 * @param {readonly (readonly [method: string, target: string])[]} requests
 * @returns {Promise<readonly Exchange[]>}
 */
export async function sendHttp2(url, requests) {
  const session = connectHttp2(url, { rejectUnauthorized: false })
  try {
    return await Promise.all(
      requests.map(async ([method, target]) => {
        const stream = session.request({ ':method': method, ':path': target })
        const fields = new Promise((resolve, reject) => {
          stream.once('response', (_headers, _flags, raw) => resolve(raw)).once('error', reject)
        })
        const chunks = []
        stream.end()
        const raw = await fields
        for await (const chunk of stream) chunks.push(chunk)
        const headers = Array.from({ length: raw.length / 2 }, (_, index) => /** @type {const} */ ([raw[2 * index], raw[2 * index + 1]]))
        const status = Number(headers.find(([name]) => name === ':status')?.[1])
        return {
          scheme: 'https',
          version: '2',
          method,
          target,
          headers: {},
          responses: [{ status, headers, head: '', body: Buffer.concat(chunks) }],
        }
      }),
    )
  } finally {
    session.close()
  }
}
