/** The load: keep-alive connections over node:net, each sending one request, waiting for the whole answer, and beginning again. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { headerIn, reading, textOf } from './answers.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./answers.mjs').Answer} Answer */

/**
 * @typedef {object} Lane                      one connection
 * @property {(request: Buffer, keep?: boolean) => Promise<Answer>} ask  with the body where it is to be kept; rejects when the connection ends before the answer is complete
 * @property {() => void} close
 */

/**
 * @typedef {object} Job
 * @property {string} name       of the workload
 * @property {string} request    one whole HTTP/1.1 request, sent as UTF-8
 * @property {number} status     of every answer
 * @property {number} requests   stop after so many
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
 * What is wrong with an answer, or undefined.
 * @param {Answer} answer
 * @param {Pick<Job, 'name' | 'status'>} job
 * @param {boolean} thorough  whether the body was kept, and is checked like the headers
 */
export function faultOf(answer, { name, status }, thorough) {
  if (answer.status !== status) return `status ${answer.status} in place of ${status}`
  if (!thorough) return undefined
  const { headers = {}, isBody } = workloads[name] ?? {}
  for (const [header, pattern] of Object.entries(headers)) {
    const value = headerIn(answer.head, header)
    if (value === undefined) return `no ${header}`
    if (!pattern.test(value)) return `an unexpected ${header}: ${value}`
  }
  return isBody?.(textOf(answer)) === false ? `an unexpected body: ${textOf(answer).slice(0, 300)}` : undefined
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
  const read = reading()
  let keeping = false
  /** @type {{ resolve: (answer: Answer) => void, reject: (failure: Error) => void } | undefined} */
  let waiting
  socket.on('data', (piece) => {
    try {
      const answer = read(String(piece), keeping)
      if (answer !== undefined) waiting?.resolve(answer)
    } catch (failure) {
      socket.destroy(failure)
    }
  })
  socket.on('error', (failure) => waiting?.reject(failure))
  socket.on('close', () => waiting?.reject(new Error('the connection was closed before the answer was complete')))
  return {
    ask: (request, keep = false) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection was closed before it was asked'))
        keeping = keep
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** How long one question may take, in milliseconds. */
const answerTimeout = 5_000

/** One question over a connection of its own. @param {number} port @param {string} request */
export async function askOnce(port, request) {
  const lane = await openLane(port)
  const timer = setTimeout(lane.close, answerTimeout)
  try {
    return await lane.ask(Buffer.from(request), true)
  } finally {
    clearTimeout(timer)
    lane.close()
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
async function load(lanes, job) {
  const request = Buffer.from(job.request)
  /** @type {number[]} */
  const latencies = []
  /** @type {string[]} */
  const complaints = []
  const began = performance.now()
  let sent = 0

  const drive = async (/** @type {Lane} */ lane) => {
    while (sent < job.requests && complaints.length < errorLimit) {
      sent += 1
      const thorough = sent === 1
      const start = performance.now()
      const answer = await lane.ask(request, thorough)
      const latency = (performance.now() - start) * 1000
      const fault = faultOf(answer, job, thorough)
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
  const handle = async ({ open, run }) => {
    if (open !== undefined) lanes = await Promise.all(Array.from({ length: open.connections }, () => openLane(open.port)))
    else if (run !== undefined) return load(lanes, run)
    else for (const lane of lanes.splice(0)) lane.close()
    return 'done'
  }
  process.on('message', async (message) => process.send?.(await handle(message)))
  process.on('disconnect', () => process.exit())
}
