/** What carriers themselves say to a client: of bytes that are no request, and of requests that nobody is to answer. */
import { answer } from '../describe/message.ts'
import { problem } from '../describe/problem.ts'
import type { Outgoing } from '../server/kernel.ts'

const details: Readonly<Record<number, string>> = {
  408: answer.tooSlow(),
  413: answer.chunkExtensions(),
  417: answer.expectation(),
  431: answer.headersTooLarge(),
  501: answer.notHttp(),
  503: answer.tooManyConnections(),
  505: answer.notHttp(),
}

/** What there is to say of a status, besides what it means. */
export const detailOf = (status: number): string | undefined => details[status]

/** How a request is refused that was read, and is none. */
export type Unsound = 400 | 417 | 431 | 501 | 505

/** The answer to such a request, the last of its connection. */
export const unsound = (status: Unsound): Outgoing & { readonly body: string } => ({
  status,
  headers: ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', 'Connection', 'close'],
  body: JSON.stringify(problem(status, { detail: detailOf(status) ?? answer.oneHost() })),
})
