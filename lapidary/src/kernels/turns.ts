/** The turns of this process's event loop: requests that find one full wait for the next, in their order. There is one loop, so there is one queue. */

/** Requests are run for this long in a turn where nobody waits, in milliseconds. */
const longTurn = 10
/** While some wait turns are shorter, so that who comes is heard soon: of those who are not connected yet, the loop lets one in a turn. */
const shortTurn = 2
/** How much of what was seen is remembered after each turn: several turns tell more than one that happened to be long. */
const memory = 7 / 8

/** Requests that wait, in their order; those before `first` have been run. */
let waiting: (() => void)[] = []
let first = 0
/** When the present turn began to run requests, or when the last one ended, where others still wait. 0: the loop is idle. */
let begun = 0
/** How many were run in it. */
let count = 0
/** What is remembered: how long turns took, with all that the loop did in them, in milliseconds, and how many they ran. */
let took = 0
let ran = 0

const nothing = (): void => {}

/** When the present turn has run enough. */
let end = 0

/** Begins the next of those that wait, unless the turn has run enough. Each by itself: what it does behind a promise is done before the next one. */
function one(): void {
  if (first === waiting.length || performance.now() >= end) return
  const run = waiting[first] as () => void // the condition says that there is one
  // Whatever it keeps alive, its answer above all, is not to live for as long as somebody waits.
  waiting[first] = nothing
  first += 1
  count += 1
  run()
}

/** After each turn that ran something: counts it, and plans the next. */
function next(): void {
  const now = performance.now()
  took = took * memory + (now - begun)
  ran = ran * memory + count
  count = 0
  if (first === waiting.length) {
    waiting = []
    first = 0
    begun = 0
    return
  }
  begun = now
  setImmediate(() => {
    end = performance.now() + shortTurn
  })
  // One more than as many as should fit, and one even if none does.
  for (let planned = Math.min(queued(), 1 + Math.ceil((shortTurn * ran) / took)); planned > 0; planned -= 1) setImmediate(one)
  setImmediate(next)
}

/** Whether a request may run at once; if so it is counted. */
export function mayRun(): boolean {
  if (first < waiting.length) return false
  const now = performance.now()
  if (begun === 0) {
    begun = now
    setImmediate(next)
  } else if (now - begun >= longTurn) return false
  count += 1
  return true
}

/** How many wait. */
export const queued = (): number => waiting.length - first

/** How long somebody who comes now would wait, in milliseconds, as things went lately. */
export const expectedWait = (): number => (ran === 0 ? 0 : (queued() * took) / ran)

/** Runs it in one of the next turns. It must not throw. */
export const enqueue = (run: () => void): void => void waiting.push(run)
