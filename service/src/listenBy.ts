/** Listens by the adapter that the settings ask for, or by node:http where this Node has not got it. */

import type { RunningLlhttpServer } from 'lapidary/llhttp'
import { type ListenOptions, listen } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import type { Logger } from 'pino'
import type { Adapter } from './settings.ts'

/** Loads only what it is asked for. */
export async function listenBy(adapter: Adapter, kernel: HttpHandler, options: ListenOptions): Promise<RunningLlhttpServer> {
  if (adapter === 'node') return { ...(await listen(kernel, options)), adapter: adapter }
  return (await import('lapidary/llhttp')).listen(kernel, options)
}

/** One line of the log on what carries, where somebody asked for another adapter than node:http; a warning where it is not that one. */
export function logAdapter(log: Logger, asked: Adapter, adapter: Adapter): void {
  if (asked === 'node') return
  if (adapter === asked) log.info({ adapter }, "requests are read by Node's own parser, without node:http")
  else log.warn({ adapter }, `this Node has not the parser that the adapter ${asked} needs: node:http carries`)
}
