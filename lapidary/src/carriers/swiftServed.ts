/** What the connections of a server on the swift carrier have in common: its kernel, its parser, its limits. */
import type { HttpHandler } from '../server/kernel.ts'
import type { ErrorListener } from '../server/report.ts'
import type { Lifetime } from './lifetime.ts'
import type { LlhttpConnection } from './swiftConnection.ts'
import type { ConnectionTimeouts } from './swiftReading.ts'
import type { KeepAliveState } from './swiftSend.ts'
import type { ProbedParser } from './swiftTrial.ts'

/** One server. Times are in milliseconds. */
export interface ServerState extends KeepAliveState, ConnectionTimeouts {
  readonly handler: HttpHandler
  readonly lifetime: Lifetime
  readonly onError: ErrorListener
  readonly parser: ProbedParser
  readonly connections: Set<LlhttpConnection>
  readonly readerTimeout: number
  readonly unreadLimit: number
}
