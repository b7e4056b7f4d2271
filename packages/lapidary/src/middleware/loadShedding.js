/** `loadShedding(kernel)`: answers 503 at once to what could only be answered late, so that all the others are answered in time. */
import { createProblemResponder, problemJson } from '../http/problemResponse.js'
import { requireSync } from '../http/promises.js'
import { problemDetail } from '../messages/problemMessages.js'
import { createPathIndex } from './pathInfo.js'

// The turns of this process's event loop: requests that find one full wait for the next, in their order. There is one loop, so there is one queue.
/** Requests are run for this long in a turn where nobody waits, in milliseconds. */
const maxTurnTime = 10
/** While some wait turns are shorter, so that who comes is heard soon: of those who are not connected yet, the loop lets one in a turn. */
const maxBusyTurnTime = 2
/** How much of what was seen is remembered after each turn: several turns tell more than one that happened to be long. */
const averageDecay = 7 / 8
/** Requests that wait, in their order; those before `queueStart` have been run. */
let requestQueue = []
let queueStart = 0
/** When the present turn began to run requests, or when the last one ended, where others still wait. 0: the loop is idle. */
let turnStart = 0
/** How many were run in it. */
let turnCount = 0
/** What is remembered: how long turns took, with all that the loop did in them, in milliseconds, and how many they ran. */
let totalTurnTime = 0
let totalTurnCount = 0
const emptyTask = () => {}
/** When the present turn has run enough. */
let turnEnd = 0
/** Begins the next of those that wait, unless the turn has run enough. Each by itself: what it does behind a promise is done before the next one. */
function runNextTask() {
  if (queueStart === requestQueue.length || performance.now() >= turnEnd) return
  const run = requestQueue[queueStart] // the condition says that there is one
  // Whatever it keeps alive, its answer above all, is not to live for as long as somebody waits.
  requestQueue[queueStart] = emptyTask
  queueStart += 1
  turnCount += 1
  run()
}
/** After each turn that ran something: counts it, and plans the next. */
function endTurn() {
  const now = performance.now()
  totalTurnTime = totalTurnTime * averageDecay + (now - turnStart)
  totalTurnCount = totalTurnCount * averageDecay + turnCount
  turnCount = 0
  if (queueStart === requestQueue.length) {
    requestQueue = []
    queueStart = 0
    turnStart = 0
    return
  }
  turnStart = now
  setImmediate(() => {
    turnEnd = performance.now() + maxBusyTurnTime
  })
  // One more than as many as should fit, and one even if none does.
  for (
    let planned = Math.min(getQueueLength(), 1 + Math.ceil((maxBusyTurnTime * totalTurnCount) / totalTurnTime));
    planned > 0;
    planned -= 1
  )
    setImmediate(runNextTask)
  setImmediate(endTurn)
}
/** Whether a request may run at once; if so it is counted. */
export function tryStart() {
  if (queueStart < requestQueue.length) return false
  const now = performance.now()
  if (turnStart === 0) {
    turnStart = now
    setImmediate(endTurn)
  } else if (now - turnStart >= maxTurnTime) return false
  turnCount += 1
  return true
}
/** How many wait. */
export const getQueueLength = () => requestQueue.length - queueStart
/** How long somebody who comes now would wait, in milliseconds, as things went lately. */
export const estimateWait = () => (totalTurnCount === 0 ? 0 : (getQueueLength() * totalTurnTime) / totalTurnCount)
/** Runs it in one of the next turns. It must not throw. */
export const enqueue = (run) => void requestQueue.push(run)
/** So few may always wait: one request that took long tells little of those behind it. */
const minQueueLength = 16
/** Who has waited for so many times the longest wait is refused as well: those before it took longer than was to be expected. */
const maxWaitFactor = 2
const neverExcept = () => false
const ignoreRejection = () => {}
/**
 * The same kernel, which refuses with 503 and `Retry-After` what it could not begin within `longestWait`. While there is little to do a request is
 * run at once, and costs a look at the clock. When the event loop is busy for over 10 ms, those that come further wait for its next turn, first
 * come, first served; how long that will take is known from how it went lately. A client that leaves meanwhile is forgotten. The process has one
 * loop and so one queue: servers in it that are wrapped share it. What keeps a handler waiting elsewhere, such as a pool of connections, has
 * limits of its own.
 *
 * To be worth it a refusal has to cost little, so this kernel goes around all others: those that observe, and that write logs.
 */
export function loadShedding(
  kernel,
  {
    maxWait: longestWait = 500,
    except = neverExcept,
    onReject: refused = ignoreRejection,
    retryAfter = 1,
    format = problemJson,
    api = {},
  } = {},
) {
  const refusal = Object.freeze(
    createProblemResponder(format)(503, { detail: problemDetail.overloaded(), headers: ['Retry-After', `${retryAfter}`] }),
  )
  const at = createPathIndex(api)
  const refuse = (incoming) => {
    requireSync(refused(incoming), 'The function "refused" of shedding()')
    const always = at(incoming.target)?.constantHeaders ?? []
    return always.length === 0 ? refusal : { ...refusal, headers: [...refusal.headers, ...always] }
  }
  const later = (incoming) => {
    const came = performance.now()
    let isGone = false
    incoming.onEnd(() => {
      isGone = true
    })
    return new Promise((resolve, reject) => {
      enqueue(() => {
        // To one who has left it does not matter what is said.
        if (isGone) return resolve(refusal)
        try {
          if (performance.now() - came > maxWaitFactor * longestWait) return resolve(refuse(incoming))
          resolve(kernel(incoming))
        } catch (error) {
          reject(error)
        }
      })
    })
  }
  return (incoming) => {
    if (requireSync(except(incoming), 'The function "except" of shedding()') || tryStart()) return kernel(incoming)
    return getQueueLength() >= minQueueLength && estimateWait() > longestWait ? refuse(incoming) : later(incoming)
  }
}
