/** The log: JSON lines on standard output, or lines for people when it is a terminal. */

import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { gathered } from './gathered.ts'
import type { Deployment } from './settings/deployment.ts'
import type { Level } from './settings/variables.ts'

const standardOutput = 1

const onTerminal = (): boolean => isatty(standardOutput)

/** Loaded only where somebody looks on: it takes a start a while. */
const pretty = onTerminal() ? (await import('pino-pretty')).default : undefined

let opened: DestinationStream | undefined

/** Standard output, opened once. What waits is written when the process ends, so that no line is lost. */
function output(): DestinationStream {
  if (opened === undefined) {
    const lines = destination({ dest: standardOutput, sync: true })
    // Nobody reads any more (EPIPE), or the disk behind a redirection is full: the service goes on without its log.
    lines.on('error', () => {})
    opened = pretty?.({ destination: lines, sync: true, ignore: 'pid,hostname' }) ?? gathered(lines)
  }
  return opened
}

let time = 0
let member = ''

/** The time of a line, as pino puts it there; lines of one millisecond share it, since a date takes as long to print as all the rest. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== time) {
    time = now
    member = `,"time":"${new Date(now).toISOString()}"`
  }
  return member
}

/** A log that writes what is of this level or above it. */
export function log(level: Level): Logger {
  const formatters = { level: (label: string) => ({ level: label }) }
  return pino({ level, formatters, timestamp, base: { pid: process.pid } }, output())
}

/** Writes lines that another process has made for its own log. Each ends with a line feed. */
export const passOn = (lines: string): void => void output().write(lines)

/**
 * Says where a deployment listens, or where the metrics are, whatever the log's level: scripts wait for this line.
 * `{"event":"listening","deployment":"main","url":"http://127.0.0.1:8081"}`, or a sentence on a terminal.
 */
export function announce(deployment: Deployment | 'metrics', url: string): void {
  if (onTerminal()) process.stdout.write(`${deployment} listens on ${url}\n`)
  else output().write(`${JSON.stringify({ event: 'listening', deployment, url })}\n`)
}
