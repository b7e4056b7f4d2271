/** One change as a pair of small APIs, and what it does. */

import type { Change, Compatibility } from '@lapidary/testing'
import { type Api, type EndpointDefinition, endpoint, ok, type RouteLine, text } from 'lapidary'

/** The old API, the new one, and what becomes of clients and of servers. */
export interface Row {
  readonly sentence: string
  readonly old: Api
  readonly now: Api
  readonly clients: Compatibility
  readonly servers: Compatibility
  /** Where the change is reported; of several the first. */
  readonly place: string
  readonly change: Change['change']
  /** Why no call shows what is reported to break clients, or servers. */
  readonly unseen?: { readonly clients?: string; readonly servers?: string }
}

// biome-ignore lint/suspicious/noExplicitAny: anything that an endpoint may have
type Definition = Partial<EndpointDefinition<any>>

/** An API of one endpoint. */
export const one = (line: RouteLine, definition: Definition = {}): Api => ({
  it: endpoint(line, { response: ok(text), ...definition } as never),
})

type Verdicts = readonly [clients: Compatibility, servers: Compatibility]
type Reported = readonly [place: string, change: Change['change']]

/** Writes a row. */
export const row = (
  sentence: string,
  [old, now]: readonly [Api, Api],
  [clients, servers]: Verdicts,
  [place, change]: Reported,
  unseen?: Row['unseen'],
): Row => ({ sentence, old, now, clients, servers, place, change, ...(unseen && { unseen }) })
