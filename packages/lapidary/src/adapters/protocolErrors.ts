/** What adapters themselves say to a client: of bytes that are no request, and of requests that are not to be answered. */

import type { HttpResponse } from '../http/httpHandler.ts'
import { createProblem } from '../http/problemDetails.ts'
import { adapterDetail } from '../messages/problemMessages.ts'

const rejectionDetailTexts: Readonly<Record<number, string>> = {
  408: adapterDetail.tooSlow(),
  413: adapterDetail.chunkExtensions(),
  431: adapterDetail.headersTooLarge(),
  501: adapterDetail.noTunnel(),
  503: adapterDetail.tooManyConnections(),
}

/** What there is to say of a status to a connection without a request, besides what it means. */
export const getRejectionDetail = (status: number): string => rejectionDetailTexts[status] ?? adapterDetail.notHttp()

/** How a request is refused that was read, and is none. */
export interface ProtocolError {
  readonly status: 400 | 417 | 431 | 501 | 505
  readonly detail: string
}

type ProtocolErrorName = 'host' | 'lengths' | 'oldChunks' | 'expectation' | 'headers' | 'coding' | 'method' | 'tunnel' | 'version'

/** What may be wrong with a request that was read. */
export const protocolErrors: Readonly<Record<ProtocolErrorName, ProtocolError>> = Object.freeze({
  host: { status: 400, detail: adapterDetail.oneHost() },
  lengths: { status: 400, detail: adapterDetail.oneLength() },
  oldChunks: { status: 400, detail: adapterDetail.oldChunks() },
  expectation: { status: 417, detail: adapterDetail.expectation() },
  headers: { status: 431, detail: adapterDetail.headersTooLarge() },
  coding: { status: 501, detail: adapterDetail.notHttp() },
  method: { status: 501, detail: adapterDetail.notHttp() },
  tunnel: { status: 501, detail: adapterDetail.noTunnel() },
  version: { status: 505, detail: adapterDetail.notHttp() },
})

/** The answer to such a request, the last of its connection. */
export const toProtocolErrorResponse = ({ status, detail }: ProtocolError): HttpResponse & { readonly body: string } => ({
  status,
  headers: ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', 'Connection', 'close'],
  body: JSON.stringify(createProblem(status, { detail })),
})
