/** How far a long command has come: a bar on a terminal, a line now and then elsewhere; on standard error. */

import { SingleBar } from 'cli-progress'
import { grouped } from './grouped.ts'

export interface Progress {
  readonly at: (value: number) => void
  readonly end: () => void
}

/** How many lines there are at most where there is no terminal. */
const lines = 10

function bar(doing: string, unit: string, start: number, total: number): Progress {
  const shown = new SingleBar({
    format: `${doing} {bar} {percentage} % | {value} of {total} ${unit} | {eta_formatted} left`,
    formatValue: (value, _options, type) => (type === 'value' || type === 'total' ? grouped(value) : String(value)),
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 50,
  })
  shown.start(total, start)
  return { at: (value) => shown.update(value), end: () => shown.stop() }
}

function plain(doing: string, unit: string, start: number, total: number): Progress {
  let next = start + (total - start) / lines
  return {
    at: (value) => {
      if (value < next || value >= total) return
      next = value + (total - start) / lines
      process.stderr.write(`${doing}: ${grouped(value)} of ${grouped(total)} ${unit}\n`)
    },
    end: () => {},
  }
}

/** `doing` is what is done, such as `Adding`; `unit` is what is counted, from `start` to `total`. */
export const progress = (doing: string, unit: string, start: number, total: number): Progress =>
  Object.freeze((process.stderr.isTTY ? bar : plain)(doing, unit, start, total))
