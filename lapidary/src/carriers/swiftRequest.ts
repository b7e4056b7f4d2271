/** Makes a request of a head that the swift carrier's parser has read: what decides how it is read, and whether it is one. */
import { refusalOf } from './nodeTrouble.ts'
import { SwiftBody } from './swiftBody.ts'
import { type Carrying, SwiftIncoming } from './swiftIncoming.ts'

const expectsContinue = /(?:^|\W)100-continue(?:$|\W)/i

/** `method` is undefined for one that HTTP has not. */
export function requestOf(
  connection: Carrying,
  method: string | undefined,
  target: string,
  lines: readonly string[],
  version: string,
  keepAlive: boolean,
): SwiftIncoming {
  const incoming = new SwiftIncoming(connection, method ?? '', target, lines, version, keepAlive)
  let expectation: string | undefined
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index] as string
    const { length } = name
    if (length === 6) {
      // Those of older clients mean nothing (RFC 9110 §10.1.1).
      if (name.toLowerCase() === 'expect' && version === '1.1') expectation = lines[index + 1]
    } else if (length === 14) {
      if (name.toLowerCase() === 'content-length' && Number(lines[index + 1]) > 0) incoming.content = new SwiftBody()
    } else if (length === 17 && name.toLowerCase() === 'transfer-encoding') incoming.content = new SwiftBody()
  }
  if (method === undefined) incoming.refusal = 501
  else if (expectation !== undefined && !expectsContinue.test(expectation)) incoming.refusal = 417
  else {
    incoming.refusal = refusalOf(incoming)
    incoming.waits = expectation !== undefined && incoming.content !== undefined
  }
  return incoming
}
