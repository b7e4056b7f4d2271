/** Listens by the carrier that the settings ask for, or by node:http where this Node has not got it. */
import { type ListenOptions, listen } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import type { RunningLlhttpServer } from 'lapidary/swift'
import type { Logger } from 'pino'
import type { Carrier } from './settings.ts'

/** Loads only what it is asked for. */
export async function listenBy(carrier: Carrier, kernel: HttpHandler, options: ListenOptions): Promise<RunningLlhttpServer> {
  if (carrier === 'node') return { ...(await listen(kernel, options)), adapter: carrier }
  return (await import('lapidary/swift')).listen(kernel, options)
}

/** One line of the log on what carries, where somebody asked for another carrier than node:http; a warning where it is not that one. */
export function tellCarrier(log: Logger, asked: Carrier, carrier: Carrier): void {
  if (asked === 'node') return
  if (carrier === asked) log.info({ carrier }, "requests are read by Node's own parser, without node:http")
  else log.warn({ carrier }, `this Node has not the parser that the carrier ${asked} needs: node:http carries`)
}
