/** Progress, interruption and retries of a long command. */

import { constants } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { SingleBar } from 'cli-progress'
import { CommandError } from '../command.ts'
import { StoreUnavailable } from '../store/errors.ts'
import type { Awaitable } from '../store/store.ts'

const numberFormat = new Intl.NumberFormat('en')

/** `1,000,000`. */
export const formatNumber = (number: number): string => numberFormat.format(number)

/** `1 colour`, `1,000 colours`. */
export const formatCount = (number: number): string => `${formatNumber(number)} ${number === 1 ? 'colour' : 'colours'}`

export interface Progress {
  readonly update: (value: number) => void
  readonly end: () => void
}

/** The largest number of progress lines without a terminal. */
const maxProgressLines = 10

/** Shows progress on standard error: a bar on a terminal, up to ten lines elsewhere. `unit` is counted from `start` to `total`. */
export function showProgress(action: string, unit: string, start: number, total: number): Progress {
  if (process.stderr.isTTY) {
    const bar = new SingleBar({
      format: `${action} {bar} {percentage} % | {value} of {total} ${unit} | {eta_formatted} left`,
      formatValue: (value, _options, type) => (type === 'value' || type === 'total' ? formatNumber(value) : String(value)),
      barCompleteChar: '█',
      barIncompleteChar: '░',
      barsize: 30,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
    })
    bar.start(total, start)
    return { update: (value) => bar.update(value), end: () => bar.stop() }
  }
  const step = (total - start) / maxProgressLines
  let next = start + step
  return {
    update: (value) => {
      if (value < next || value >= total) return
      next = value + step
      process.stderr.write(`${action}: ${formatNumber(value)} of ${formatNumber(total)} ${unit}\n`)
    },
    end: () => {},
  }
}

export interface Interruption {
  readonly signal: AbortSignal
  /** Throws a `CommandError` with this message once a signal has arrived. */
  readonly check: (message: () => string) => void
  /** Restores the default handling of signals. */
  readonly end: () => void
}

const interruptSignals = ['SIGINT', 'SIGTERM'] as const

/** Handles the first signal as a request to stop after the current step. A second one ends the process at once. */
export function handleInterruption(): Interruption {
  const controller = new AbortController()
  const end = (): void => {
    for (const name of interruptSignals) process.off(name, interrupt)
  }
  const interrupt = (name: NodeJS.Signals): void => {
    end()
    controller.abort(name)
  }
  for (const name of interruptSignals) process.on(name, interrupt)
  const { signal } = controller
  return {
    signal,
    check: (message) => {
      // The exit code that shells use for a program that a signal has ended.
      if (signal.aborted) throw new CommandError(message(), { exitCode: 128 + constants.signals[signal.reason as NodeJS.Signals] })
    },
    end,
  }
}

/** The pauses before each further attempt, in milliseconds. */
const retryPauses = [100, 300, 1000, 3000] as const

/**
 * Repeats `action` while it throws `StoreUnavailable`, until the pauses are used up or `signal` fires. Reports each wait on standard error.
 * The action must be safe to repeat, because a write may have been done although its answer was lost.
 */
export async function retry<Result>(action: () => Awaitable<Result>, signal: AbortSignal): Promise<Result> {
  for (const pause of retryPauses) {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      // On a terminal the line may contain a progress bar.
      process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}${error.message} Trying again …\n`)
      await setTimeout(pause, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
  return action()
}
