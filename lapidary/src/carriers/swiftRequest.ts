/** Makes a request of a head that the swift carrier's parser has read: what decides how it is read, and whether it is one. */
import type { ErrorListener } from '../server/report.ts'
import { readRequestFraming } from './nodeTrouble.ts'
import { LlhttpRequestBody } from './swiftBody.ts'
import { LlhttpRequest, type RequestConnection } from './swiftIncoming.ts'
import { protocolErrors } from './unsound.ts'

const expectContinuePattern = /(?:^|\W)100-continue(?:$|\W)/i

/** `method` is undefined for one that HTTP has not. */
export function createLlhttpRequest(
  connection: RequestConnection,
  method: string | undefined,
  target: string,
  lines: readonly string[],
  version: string,
  keepAlive: boolean,
  report: ErrorListener,
): LlhttpRequest {
  const incoming = new LlhttpRequest(connection, method ?? '', target, lines, version, keepAlive, report)
  const { hasBody, protocolError: refusal } = readRequestFraming(incoming)
  incoming.protocolError = refusal
  // What is refused may have a body as well, which is counted while it is dropped.
  if (hasBody) incoming.requestBody = new LlhttpRequestBody()
  // Those of older clients mean nothing (RFC 9110 §10.1.1).
  const expectation = version === '1.1' ? incoming.header('expect') : undefined
  if (expectation !== undefined && !expectContinuePattern.test(expectation)) incoming.protocolError ??= protocolErrors.expectation
  else {
    incoming.expectsContinue = expectation !== undefined && hasBody
  }
  return incoming
}
