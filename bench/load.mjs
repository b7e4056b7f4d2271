/** The load: keep-alive connections over node:net, each sending one request, waiting for the whole answer, and beginning again. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'

/** @typedef {{ status: number, body: string }} Answer  the body in Latin-1: a character is a byte */

/**
 * @typedef {object} Lane                      one connection
 * @property {(request: Buffer) => Promise<Answer>} ask  rejects when the connection ends before the answer is complete
 * @property {() => void} close
 */

/**
 * @typedef {object} Job
 * @property {import('./workloads.mjs').Workload} workload
 * @property {number} [requests]  stop after so many; either this or `seconds`
 * @property {number} [seconds]   stop after so long
 */

/**
 * @typedef {object} Result
 * @property {number} requests          answered as they should be
 * @property {number} errors            answered otherwise, or not at all
 * @property {string | null} complaint  the first thing that went wrong
 * @property {number} seconds
 * @property {number} p50               latency in microseconds
 * @property {number} p99               latency in microseconds
 */

const errorLimit = 100

/**
 * The answer in `text`, or undefined while it is incomplete. Framed by Content-Length alone.
 * @param {string} text
 * @returns {Answer | undefined}
 */
function answerIn(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [, digits] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd)) ?? []
  if (digits === undefined) throw new Error(`an answer without Content-Length: ${JSON.stringify(text.slice(0, headEnd))}`)
  const end = headEnd + 4 + Number(digits)
  if (text.length > end) throw new Error('bytes behind the end of an answer')
  return text.length < end ? undefined : { status: Number(text.slice(9, 12)), body: text.slice(headEnd + 4) }
}

/**
 * What is wrong with an answer, or undefined.
 * @param {Answer} answer
 * @param {import('./workloads.mjs').Workload} workload
 * @param {boolean} thorough  whether the body is compared as well
 */
export function faultOf(answer, workload, thorough) {
  const text = () => Buffer.from(answer.body, 'latin1').toString()
  if (answer.status !== workload.status) return `status ${answer.status} in place of ${workload.status}: ${text()}`
  if (thorough && !isDeepStrictEqual(JSON.parse(text()), workload.body)) return `an unexpected body: ${text()}`
  return undefined
}

/**
 * Opens one connection.
 * @param {number} port
 * @returns {Promise<Lane>}
 */
export async function openLane(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  let pending = ''
  /** @type {{ resolve: (answer: Answer) => void, reject: (failure: Error) => void } | undefined} */
  let waiting
  socket.on('data', (chunk) => {
    pending += chunk
    try {
      const answer = answerIn(pending)
      if (answer === undefined) return
      pending = ''
      waiting?.resolve(answer)
    } catch (failure) {
      socket.destroy(failure)
    }
  })
  socket.on('error', (failure) => waiting?.reject(failure))
  socket.on('close', () => waiting?.reject(new Error('the connection was closed before the answer was complete')))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** @param {Float64Array} sorted @param {number} part */
const quantile = (sorted, part) => (sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))])

/**
 * Drives all `lanes` at once until the job is done.
 * @param {readonly Lane[]} lanes
 * @param {Job} job
 * @returns {Promise<Result>}
 */
export async function load(lanes, { workload, requests = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY }) {
  const request = Buffer.from(workload.request)
  /** @type {number[]} */
  const latencies = []
  /** @type {string[]} */
  const complaints = []
  const began = performance.now()
  const deadline = began + seconds * 1000
  let sent = 0

  const drive = async (/** @type {Lane} */ lane) => {
    while (sent < requests && complaints.length < errorLimit && performance.now() < deadline) {
      sent += 1
      const start = performance.now()
      const answer = await lane.ask(request)
      const latency = (performance.now() - start) * 1000
      const fault = faultOf(answer, workload, latencies.length === 0)
      if (fault === undefined) latencies.push(latency)
      else complaints.push(fault)
    }
  }
  await Promise.all(lanes.map((lane) => drive(lane).catch((failure) => complaints.push(failure.message))))

  const elapsed = (performance.now() - began) / 1000
  const sorted = Float64Array.from(latencies).sort()
  return {
    ...{ requests: sorted.length, errors: complaints.length, complaint: complaints[0] ?? null, seconds: elapsed },
    ...{ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) },
  }
}

/**
 * As a process of its own, so that it does not weigh on the server, it takes one message after the other from its parent:
 * `{ open: { port, connections } }`, then any number of `{ run: job }`, then `{ close: true }`. Each is answered when it is done.
 */
if (process.send !== undefined) {
  /** @type {Lane[]} */
  let lanes = []
  const obey = async ({ open, run }) => {
    if (open !== undefined) lanes = await Promise.all(Array.from({ length: open.connections }, () => openLane(open.port)))
    else if (run !== undefined) return load(lanes, run)
    else for (const lane of lanes.splice(0)) lane.close()
    return 'done'
  }
  process.on('message', async (message) => process.send?.(await obey(message)))
  process.on('disconnect', () => process.exit())
}
