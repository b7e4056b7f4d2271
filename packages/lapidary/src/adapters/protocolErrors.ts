/** What an adapter itself answers: to bytes that are no request, and to requests that break the rules of HTTP. */
import { createProblem } from '../http/httpError.ts'
import type { HttpResponse } from '../http/httpHandler.ts'
import { adapterDetail } from '../messages/problemMessages.ts'

const rejectionDetailTexts: Readonly<Record<number, string>> = {
  408: adapterDetail.tooSlow(),
  413: adapterDetail.chunkExtensions(),
  431: adapterDetail.headersTooLarge(),
  501: adapterDetail.noTunnel(),
  503: adapterDetail.tooManyConnections(),
}

/** The `detail` for a connection that is rejected with a status before it has made a request. */
export const getRejectionDetail = (status: number): string => rejectionDetailTexts[status] ?? adapterDetail.notHttp()

/** Why a request that was parsed must not be answered. */
export interface ProtocolError {
  readonly status: 400 | 417 | 431 | 501 | 505
  readonly detail: string
}

type ProtocolErrorName = 'host' | 'lengths' | 'oldChunks' | 'expectation' | 'headers' | 'coding' | 'method' | 'tunnel' | 'version'

/** All protocol errors, by the part of the request that is wrong. */
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

/** The response to such a request. It is the last response of its connection. */
export const toProtocolErrorResponse = ({ status, detail }: ProtocolError): HttpResponse & { readonly body: string } => ({
  status,
  headers: ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', 'Connection', 'close'],
  body: JSON.stringify(createProblem(status, { detail })),
})
