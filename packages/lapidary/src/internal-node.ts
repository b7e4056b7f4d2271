/** What an adapter in a package of its own shares with the node adapter, besides the public entry points. It may change in any version. */
/// <reference types="node" preserve="true" />

export { BaseRequest, createBodyCutOffError, createBodyTooLargeError } from './adapters/baseRequest.ts'
export { BodyQueue } from './adapters/bodyQueue.ts'
export {
  checkBodilessFraming,
  checkContentLength,
  checkStreamFraming,
  enforceContentLength,
  readContentLength,
  removeTransferEncoding,
} from './adapters/contentLength.ts'
export { Lifetime } from './adapters/lifetime.ts'
export { startNodeServer } from './adapters/node/listen.ts'
export { checkConnections, resolveListenOptions } from './adapters/node/listenOptions.ts'
export { getParserErrorStatus, isHeadRequestText, limitConnections, rejectConnection } from './adapters/node/rejectConnection.ts'
export { isOtherProtocol, readRequestFraming, toOriginForm } from './adapters/node/requestFraming.ts'
export { formatKeepAliveLine, formatSimpleHead, getDateLine } from './adapters/node/responseHead.ts'
export { type ProtocolError, protocolErrors, toProtocolErrorResponse } from './adapters/protocolErrors.ts'
export { checkListenArguments } from './adapters/runningServer.ts'
export { maxWriteBatch, StreamPump, type StreamWriter } from './adapters/streamPump.ts'
export { ChunkList } from './http/chunks.ts'
export { createInternalErrorResponse } from './http/errorReport.ts'
export { isHeaderName, isHeaderValue } from './http/headerFields.ts'
export { isPromise } from './http/promises.ts'
export { assertFinalStatus, isAlwaysBodiless } from './http/status.ts'
export { guessMediaType } from './static/openFile.ts'
