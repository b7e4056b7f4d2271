/** What carriers themselves say to a client: of bytes that are no request, and of requests that are not to be answered. */
import { carrier } from '../describe/message.ts'
import { problem } from '../describe/problem.ts'
import type { Outgoing } from '../server/kernel.ts'

const details: Readonly<Record<number, string>> = {
  408: carrier.tooSlow(),
  413: carrier.chunkExtensions(),
  431: carrier.headersTooLarge(),
  501: carrier.noTunnel(),
  503: carrier.tooManyConnections(),
}

/** What there is to say of a status to a connection without a request, besides what it means. */
export const detailOf = (status: number): string => details[status] ?? carrier.notHttp()

/** How a request is refused that was read, and is none. */
export interface Unsound {
  readonly status: 400 | 417 | 431 | 501 | 505
  readonly detail: string
}

type Flaw = 'host' | 'lengths' | 'oldChunks' | 'expectation' | 'headers' | 'coding' | 'method' | 'tunnel' | 'version'

/** What may be wrong with a request that was read. */
export const flaws: Readonly<Record<Flaw, Unsound>> = Object.freeze({
  host: { status: 400, detail: carrier.oneHost() },
  lengths: { status: 400, detail: carrier.oneLength() },
  oldChunks: { status: 400, detail: carrier.oldChunks() },
  expectation: { status: 417, detail: carrier.expectation() },
  headers: { status: 431, detail: carrier.headersTooLarge() },
  coding: { status: 501, detail: carrier.notHttp() },
  method: { status: 501, detail: carrier.notHttp() },
  tunnel: { status: 501, detail: carrier.noTunnel() },
  version: { status: 505, detail: carrier.notHttp() },
})

/** The answer to such a request, the last of its connection. */
export const unsound = ({ status, detail }: Unsound): Outgoing & { readonly body: string } => ({
  status,
  headers: ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', 'Connection', 'close'],
  body: JSON.stringify(problem(status, { detail })),
})
