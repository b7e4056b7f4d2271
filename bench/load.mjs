/** The load: keep-alive connections over node:net. Each sends a request, waits for the whole response, and sends the next. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { createResponseReader, decodeBody, getHeader } from './responses.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./responses.mjs').RawResponse} RawResponse */

/**
 * @typedef {object} Connection
 * @property {(request: Buffer, keepBody?: boolean) => Promise<RawResponse>} send  resolves to the response, with its body on request; rejects when the connection ends before the response is complete
 * @property {() => void} close
 */

/**
 * @typedef {object} Job
 * @property {string} name       of the workload
 * @property {string} request    one whole HTTP/1.1 request, sent as UTF-8
 * @property {number} status     of every response
 * @property {number} requests   stop after so many
 */

/**
 * @typedef {object} Result
 * @property {number} requests          with the expected response
 * @property {number} errors            with another response, or none
 * @property {string | null} firstError  null where there is none
 * @property {number} seconds
 * @property {number} p50               latency in microseconds
 * @property {number} p99               latency in microseconds
 */

const errorLimit = 100

/**
 * Returns what is wrong with a response, or undefined.
 * @param {RawResponse} response
 * @param {Pick<Job, 'name' | 'status'>} job
 * @param {boolean} isThorough  whether to check the headers and the body too
 */
export function findFault(response, { name, status }, isThorough) {
  if (response.status !== status) return `status ${response.status} in place of ${status}`
  if (!isThorough) return undefined
  const { headers = {}, isBody } = workloads[name] ?? {}
  for (const [header, pattern] of Object.entries(headers)) {
    const value = getHeader(response.head, header)
    if (value === undefined) return `no ${header}`
    if (!pattern.test(value)) return `an unexpected ${header}: ${value}`
  }
  return isBody?.(decodeBody(response)) === false ? `an unexpected body: ${decodeBody(response).slice(0, 300)}` : undefined
}

/**
 * Opens one connection.
 * @param {number} port
 * @returns {Promise<Connection>}
 */
export async function openConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  const read = createResponseReader()
  let keepsBody = false
  /** @type {{ resolve: (response: RawResponse) => void, reject: (error: Error) => void } | undefined} */
  let waiting
  socket.on('data', (piece) => {
    try {
      const response = read(String(piece), keepsBody)
      if (response !== undefined) waiting?.resolve(response)
    } catch (error) {
      socket.destroy(error)
    }
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the connection was closed before the response was complete')))
  return {
    send: (request, keepBody = false) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection was closed before the request was sent'))
        keepsBody = keepBody
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** How long one response may take, in milliseconds. */
const responseTimeout = 5_000

/** Sends one request over a connection of its own. @param {number} port @param {string} request */
export async function sendOnce(port, request) {
  const connection = await openConnection(port)
  const timer = setTimeout(connection.close, responseTimeout)
  try {
    return await connection.send(Buffer.from(request), true)
  } finally {
    clearTimeout(timer)
    connection.close()
  }
}

/** @param {Float64Array} sorted @param {number} part */
const quantile = (sorted, part) => (sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))])

/**
 * Sends requests over all connections at once until the job is done.
 * @param {readonly Connection[]} connections
 * @param {Job} job
 * @returns {Promise<Result>}
 */
async function runJob(connections, job) {
  const request = Buffer.from(job.request)
  /** @type {number[]} */
  const latencies = []
  /** @type {string[]} */
  const errors = []
  const start = performance.now()
  let sent = 0

  const drive = async (/** @type {Connection} */ connection) => {
    while (sent < job.requests && errors.length < errorLimit) {
      sent += 1
      const isThorough = sent === 1
      const start = performance.now()
      const response = await connection.send(request, isThorough)
      const latency = (performance.now() - start) * 1000
      const fault = findFault(response, job, isThorough)
      if (fault === undefined) latencies.push(latency)
      else errors.push(fault)
    }
  }
  await Promise.all(connections.map((connection) => drive(connection).catch((error) => errors.push(error.message))))

  const seconds = (performance.now() - start) / 1000
  const sorted = Float64Array.from(latencies).sort()
  return {
    ...{ requests: sorted.length, errors: errors.length, firstError: errors[0] ?? null, seconds },
    ...{ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) },
  }
}

/**
 * As a process of its own, so that it does not slow the server down, it takes one message after the other from its parent:
 * `{ open: { port, connections } }`, then any number of `{ run: job }`, then `{ close: true }`. It replies to each when it is done.
 */
if (process.send !== undefined) {
  /** @type {Connection[]} */
  let connections = []
  const handle = async ({ open, run }) => {
    if (open !== undefined) connections = await Promise.all(Array.from({ length: open.connections }, () => openConnection(open.port)))
    else if (run !== undefined) return runJob(connections, run)
    else for (const connection of connections.splice(0)) connection.close()
    return 'done'
  }
  process.on('message', async (message) => process.send?.(await handle(message)))
  process.on('disconnect', () => process.exit())
}
