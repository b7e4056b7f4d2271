/** The turns of this process's event loop: requests that find one full wait for the next, in their order. There is one loop, so there is one queue. */

/** Requests are run for this long in a turn where nobody waits, in milliseconds. */
const maxTurnTime = 10
/** While some wait turns are shorter, so that who comes is heard soon: of those who are not connected yet, the loop lets one in a turn. */
const maxBusyTurnTime = 2
/** How much of what was seen is remembered after each turn: several turns tell more than one that happened to be long. */
const averageDecay = 7 / 8

/** Requests that wait, in their order; those before `queueStart` have been run. */
let requestQueue: (() => void)[] = []
let queueStart = 0
/** When the present turn began to run requests, or when the last one ended, where others still wait. 0: the loop is idle. */
let turnStart = 0
/** How many were run in it. */
let turnCount = 0
/** What is remembered: how long turns took, with all that the loop did in them, in milliseconds, and how many they ran. */
let totalTurnTime = 0
let totalTurnCount = 0

const emptyTask = (): void => {}

/** When the present turn has run enough. */
let turnEnd = 0

/** Begins the next of those that wait, unless the turn has run enough. Each by itself: what it does behind a promise is done before the next one. */
function runNextTask(): void {
  if (queueStart === requestQueue.length || performance.now() >= turnEnd) return
  const run = requestQueue[queueStart] as () => void // the condition says that there is one
  // Whatever it keeps alive, its answer above all, is not to live for as long as somebody waits.
  requestQueue[queueStart] = emptyTask
  queueStart += 1
  turnCount += 1
  run()
}

/** After each turn that ran something: counts it, and plans the next. */
function endTurn(): void {
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
export function tryStart(): boolean {
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
export const getQueueLength = (): number => requestQueue.length - queueStart

/** How long somebody who comes now would wait, in milliseconds, as things went lately. */
export const estimateWait = (): number => (totalTurnCount === 0 ? 0 : (getQueueLength() * totalTurnTime) / totalTurnCount)

/** Runs it in one of the next turns. It must not throw. */
export const enqueue = (run: () => void): void => void requestQueue.push(run)
