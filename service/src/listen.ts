/** Listens with the configured adapter. */

import type { RunningLlhttpServer } from 'lapidary/llhttp'
import { type ListenOptions, listen } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import type { Logger } from 'pino'
import { type AdapterName, SettingError } from './settings.ts'

export interface AdapterServer extends Omit<RunningLlhttpServer, 'adapter'> {
  /** The adapter in use: `node` if this Node.js lacks the other one. */
  readonly adapter: AdapterName
}

/** Imports the adapter on demand. Uses node:http if this Node.js does not support the other adapter. */
export async function listenWith(adapter: AdapterName, handler: HttpHandler, options: ListenOptions): Promise<AdapterServer> {
  if (adapter === 'node') return { ...(await listen(handler, options)), adapter }
  return (await import('lapidary/llhttp')).listen(handler, options)
}

/** Logs the adapter in use, unless it is the default. Warns if it is not the configured one. */
export function logAdapter(log: Logger, configured: AdapterName, adapter: AdapterName): void {
  if (configured === 'node') return
  if (adapter === configured) log.info({ adapter }, "requests are read by Node's own parser, without node:http")
  else log.warn({ adapter }, `this Node has not the parser that the adapter ${configured} needs: node:http is used`)
}

/** The `SettingError` for an address on which the machine refused to listen. */
export function addressError(error: unknown, host: string, port: number): SettingError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException // other values have no code
  if (code === 'EADDRINUSE') return new SettingError('The port', `${port}`, `a free port on ${host}, and this one is taken`)
  return new SettingError('The address', `${host}:${port}`, `one that this machine lets a server have (${code})`)
}
