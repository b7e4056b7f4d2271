/** The log: JSON lines on standard output, or readable lines on a terminal. */
import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Deployment, LogLevel } from './settings.ts'

const isTerminal = isatty(1)

/** How long a line waits for others, in milliseconds. */
const bufferTime = 10
/** Buffered text beyond this length, in characters, is written at once. */
const maxBuffered = 65_536

/**
 * Buffers lines and writes them together, because one system call per line would take longer than the requests. Flushes when the process
 * exits.
 */
export function bufferedLog(stream: DestinationStream): DestinationStream & { readonly flushSync: () => void } {
  let buffer = ''
  const flushSync = (): void => {
    const text = buffer
    buffer = ''
    if (text !== '') stream.write(text)
  }
  process.on('exit', flushSync)
  return {
    write: (line) => {
      // The exit handler writes what the unreferenced timer does not.
      if (buffer === '') setTimeout(flushSync, bufferTime).unref()
      buffer += line
      if (buffer.length > maxBuffered) flushSync()
    },
    flushSync,
  }
}

const lines = destination({ dest: 1, sync: true })
// The reader has gone (EPIPE), or the disk is full. The service continues without its log.
lines.on('error', () => {})

// The readable form is imported for a terminal only, because it delays the start.
const output: DestinationStream = isTerminal
  ? (await import('pino-pretty')).default({ destination: lines, sync: true, ignore: 'pid,hostname' })
  : bufferedLog(lines)

/** Creates the logger of this process. */
export function createLog(level: LogLevel): Logger {
  const formatters = { level: (label: string) => ({ level: label }) }
  return pino({ level, formatters, timestamp: stdTimeFunctions.isoTime, base: { pid: process.pid } }, output)
}

/**
 * Returns a function that takes bytes and passes on whole lines, because several processes share one output. A line that its killed writer
 * has not finished is dropped.
 */
export function wholeLines(pass: (lines: string) => void = (lines) => void output.write(lines)): (bytes: Buffer) => void {
  const rest: Buffer[] = []
  return (bytes) => {
    const end = bytes.lastIndexOf('\n') + 1
    if (end > 0) pass(Buffer.concat([...rest.splice(0), bytes.subarray(0, end)]).toString())
    if (end < bytes.length) rest.push(bytes.subarray(end))
  }
}

/**
 * Prints the URL of a deployment or of the metrics at every log level, because scripts wait for this line:
 * `{"event":"listening","deployment":"main","url":"http://127.0.0.1:8081"}`, or a sentence on a terminal.
 */
export function announce(deployment: Deployment | 'metrics', url: string): void {
  if (isTerminal) process.stdout.write(`${deployment} listens on ${url}\n`)
  else output.write(`${JSON.stringify({ event: 'listening', deployment, url })}\n`)
}
