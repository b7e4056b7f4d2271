/** What adapters themselves say to a client: of bytes that are no request, and of requests that are not to be answered. */
import { createProblem } from '../http/problemDetails.js'
import { adapterDetail } from '../messages/problemMessages.js'

const rejectionDetailTexts = {
  408: adapterDetail.tooSlow(),
  413: adapterDetail.chunkExtensions(),
  431: adapterDetail.headersTooLarge(),
  501: adapterDetail.noTunnel(),
  503: adapterDetail.tooManyConnections(),
}
/** What there is to say of a status to a connection without a request, besides what it means. */
export const getRejectionDetail = (status) => rejectionDetailTexts[status] ?? adapterDetail.notHttp()
/** What may be wrong with a request that was read. */
export const protocolErrors = Object.freeze({
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
export const toProtocolErrorResponse = ({ status, detail }) => ({
  status,
  headers: ['Content-Type', 'application/problem+json', 'X-Content-Type-Options', 'nosniff', 'Connection', 'close'],
  body: JSON.stringify(createProblem(status, { detail })),
})
