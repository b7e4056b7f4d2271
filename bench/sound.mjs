/** Whether the responses of a server are correct: to all questions, and to one request of each workload. */
import { isDeepStrictEqual } from 'node:util'
import { headerIn, textOf } from './answers.mjs'
import { askedOf } from './asked.mjs'
import { askOnce, faultOf } from './load.mjs'
import { startServer } from './processes.mjs'
import { questions } from './questions.mjs'
import { say, stop } from './say.mjs'
import { workloads } from './workloads.mjs'

/**
 * @typedef {object} Difference
 * @property {string} question
 * @property {string} what
 * @property {boolean} required  whether the server is not to be measured for it
 */

/** @param {import('./questions.mjs').Question} question @param {number} port */
async function unlike({ request, status, body }, port) {
  try {
    const answer = await askOnce(port, request)
    if (answer.status !== status) return `${answer.status} in place of ${status}`
    return body === undefined || isDeepStrictEqual(JSON.parse(textOf(answer)), body)
      ? undefined
      : `an unexpected body: ${textOf(answer).slice(0, 60)}`
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  }
}

/** The errors in the response to one workload, and the mere differences. */
async function faults(server, name) {
  const fault = (/** @type {string} */ what) => ({ question: name, what, required: true })
  try {
    const asked = await askedOf(server, name)
    const answer = await askOnce(server.port, asked.request)
    const wrong = faultOf(answer, asked, true)
    if (wrong !== undefined) return [fault(wrong)]
    const isLengthless = asked.status < 300 && headerIn(answer.head, 'content-length') === undefined
    return isLengthless && name !== 'stream' ? [{ question: name, what: 'no Content-Length', required: false }] : []
  } catch (failure) {
    return [fault(failure instanceof Error ? failure.message : String(failure))]
  }
}

/**
 * All differences of a server from the baseline.
 * @param {import('./contestants.mjs').Contestant} contestant
 * @returns {Promise<Difference[]>}
 */
export async function differences(contestant) {
  const server = await startServer(contestant)
  try {
    const found = []
    for (const name of Object.keys(workloads)) if (!Object.hasOwn(contestant.without, name)) found.push(...(await faults(server, name)))
    for (const question of questions) {
      const what = await unlike(question, server.port)
      if (what !== undefined) found.push({ question: question.name, what, required: question.required === true })
    }
    return found
  } finally {
    await server.stop()
  }
}

/**
 * The contestants that may be measured. Prints the others. Stops if the first is not among them.
 * @param {readonly import('./contestants.mjs').Contestant[]} contestants
 */
export async function sound(contestants) {
  const fit = []
  for (const contestant of contestants) {
    const [wrong] = (await differences(contestant)).filter(({ required }) => required)
    if (wrong === undefined) fit.push(contestant)
    else if (fit.length === 0) stop(`${contestant.name}, the baseline, answers ${wrong.question} with ${wrong.what}`)
    else say(`${contestant.name} is not measured: ${wrong.question}: ${wrong.what}`)
  }
  return fit
}
