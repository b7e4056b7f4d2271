/** Ends a long command after the step that it is in. */

import { Interrupted } from './refused.ts'

export interface Interruption {
  readonly signal: AbortSignal
  /** Throws `Interrupted` with this sentence once a signal has come. */
  readonly check: (sentence: () => string) => void
  /** Lets signals end the process again as usual. */
  readonly over: () => void
}

const names = ['SIGINT', 'SIGTERM'] as const

/** From now on the first of these signals asks for an end; a second one ends the process at once. */
export function interruption(): Interruption {
  const controller = new AbortController()
  const over = (): void => {
    for (const name of names) process.off(name, stop)
  }
  const stop = (name: NodeJS.Signals): void => {
    over()
    controller.abort(name)
  }
  for (const name of names) process.on(name, stop)
  const { signal } = controller
  return Object.freeze({
    signal,
    check: (sentence) => {
      if (signal.aborted) throw new Interrupted(sentence(), signal.reason as NodeJS.Signals) // given by `stop` alone
    },
    over,
  } satisfies Interruption)
}
