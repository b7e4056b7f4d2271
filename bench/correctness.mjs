/** Compares the responses of a server with those of the baseline: one for each correctness case, and one for each workload. */
import { isDeepStrictEqual } from 'node:util'
import { correctnessCases } from './correctnessCases.mjs'
import { findFault, sendOnce } from './load.mjs'
import { log, stop } from './log.mjs'
import { startServer } from './processes.mjs'
import { decodeBody, getHeader } from './responses.mjs'
import { createWorkloadRequest } from './workloadRequest.mjs'
import { workloads } from './workloads.mjs'

/**
 * @typedef {object} Difference
 * @property {string} name  of the correctness case or the workload
 * @property {string} what
 * @property {boolean} required  whether the server is not to be measured for it
 */

/** @param {import('./correctnessCases.mjs').CorrectnessCase} correctnessCase @param {number} port */
async function describeDifference({ request, status, body }, port) {
  try {
    const response = await sendOnce(port, request)
    if (response.status !== status) return `${response.status} in place of ${status}`
    return body === undefined || isDeepStrictEqual(JSON.parse(decodeBody(response)), body)
      ? undefined
      : `an unexpected body: ${decodeBody(response).slice(0, 60)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What differs in the response to one workload. */
async function findWorkloadDifferences(server, name) {
  const createFault = (/** @type {string} */ what) => ({ name, what, required: true })
  try {
    const workloadRequest = await createWorkloadRequest(server, name)
    const response = await sendOnce(server.port, workloadRequest.request)
    const fault = findFault(response, workloadRequest, true)
    if (fault !== undefined) return [createFault(fault)]
    const isLengthless = workloadRequest.status < 300 && getHeader(response.head, 'content-length') === undefined
    return isLengthless && name !== 'stream' ? [{ name, what: 'no Content-Length', required: false }] : []
  } catch (error) {
    return [createFault(error instanceof Error ? error.message : String(error))]
  }
}

/**
 * All differences of a server from the baseline.
 * @param {import('./frameworks.mjs').Framework} framework
 * @returns {Promise<Difference[]>}
 */
export async function findDifferences(framework) {
  const server = await startServer(framework)
  try {
    const found = []
    for (const name of Object.keys(workloads))
      if (!Object.hasOwn(framework.without, name)) found.push(...(await findWorkloadDifferences(server, name)))
    for (const correctnessCase of correctnessCases) {
      const what = await describeDifference(correctnessCase, server.port)
      if (what !== undefined) found.push({ name: correctnessCase.name, what, required: correctnessCase.required === true })
    }
    return found
  } finally {
    await server.stop()
  }
}

/**
 * Returns the frameworks whose responses are correct, and logs the others. Stops if the first, the baseline, is not correct.
 * @param {readonly import('./frameworks.mjs').Framework[]} frameworks
 */
export async function selectCorrect(frameworks) {
  const correct = []
  for (const framework of frameworks) {
    const [difference] = (await findDifferences(framework)).filter(({ required }) => required)
    if (difference === undefined) correct.push(framework)
    else if (correct.length === 0) stop(`${framework.name}, the baseline, fails: ${difference.name}: ${difference.what}`)
    else log(`${framework.name} is not measured: ${difference.name}: ${difference.what}`)
  }
  return correct
}
