/** What handlers of a mock have in common. */
import type { Precondition } from '../describe/etag.ts'
import type { ParameterValues } from '../describe/reading.ts'
import type { HttpRequest } from '../server/kernel.ts'

/** What any handler gets. */
export interface MockInput {
  readonly params: ParameterValues
  readonly query: ParameterValues
  readonly headers: ParameterValues
  readonly body: unknown
  readonly user: unknown
  readonly precondition?: Precondition | undefined
}

/** A handler, of whatever endpoint. */
export type AnyMockHandler = (given: MockInput, incoming: HttpRequest) => unknown
