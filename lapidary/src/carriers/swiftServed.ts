/** What the connections of a server on the swift carrier have in common: its kernel, its parser, its limits. */
import type { Kernel } from '../server/kernel.ts'
import type { Report } from '../server/report.ts'
import type { Lifetime } from './lifetime.ts'
import type { SwiftConnection } from './swiftConnection.ts'
import type { Times } from './swiftReading.ts'
import type { Saying } from './swiftSend.ts'
import type { TriedParser } from './swiftTrial.ts'

/** One server. Times are in milliseconds. */
export interface Served extends Saying, Times {
  readonly kernel: Kernel
  readonly lifetime: Lifetime
  readonly report: Report
  readonly parser: TriedParser
  readonly connections: Set<SwiftConnection>
  readonly readerTimeout: number
  readonly unreadLimit: number
}
