/** What handlers of a mock have in common. */
import type { Precondition } from '../describe/etag.ts'
import type { Values } from '../describe/reading.ts'
import type { Incoming } from '../server/kernel.ts'

/** What any handler gets. */
export interface Given {
  readonly params: Values
  readonly query: Values
  readonly headers: Values
  readonly body: unknown
  readonly user: unknown
  readonly precondition?: Precondition | undefined
}

/** A handler, of whatever endpoint. */
export type Handle = (given: Given, incoming: Incoming) => unknown
