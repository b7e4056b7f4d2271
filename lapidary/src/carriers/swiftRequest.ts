/** Makes a request of a head that the swift carrier's parser has read: what decides how it is read, and whether it is one. */
import type { Report } from '../server/report.ts'
import { framingOf } from './nodeTrouble.ts'
import { SwiftBody } from './swiftBody.ts'
import { type Carrying, SwiftIncoming } from './swiftIncoming.ts'
import { flaws } from './unsound.ts'

const expectsContinue = /(?:^|\W)100-continue(?:$|\W)/i

/** `method` is undefined for one that HTTP has not. */
export function requestOf(
  connection: Carrying,
  method: string | undefined,
  target: string,
  lines: readonly string[],
  version: string,
  keepAlive: boolean,
  report: Report,
): SwiftIncoming {
  const incoming = new SwiftIncoming(connection, method ?? '', target, lines, version, keepAlive, report)
  const { hasBody, refusal } = framingOf(incoming)
  incoming.refusal = refusal
  // What is refused may have a body as well, which is counted while it is dropped.
  if (hasBody) incoming.content = new SwiftBody()
  // Those of older clients mean nothing (RFC 9110 §10.1.1).
  const expectation = version === '1.1' ? incoming.header('expect') : undefined
  if (expectation !== undefined && !expectsContinue.test(expectation)) incoming.refusal ??= flaws.expectation
  else {
    incoming.waits = expectation !== undefined && hasBody
  }
  return incoming
}
