/** What is left of a request when its answer is made: read and dropped, so that a client which still sends gets to read the answer, up to a limit. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeIncoming } from './nodeIncoming.ts'

/** Whether a body belongs to the request (RFC 9112 §6.3). */
function hasBody(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] as string
    if (length !== 14 && length !== 17) continue
    const name = (rawHeaders[index] as string).toLowerCase()
    if (name === 'transfer-encoding' || (name === 'content-length' && Number(rawHeaders[index + 1]) > 0)) return true
  }
  return false
}

/** Whether some of the request is still on its way. */
export const isUnread = ({ complete, rawHeaders }: IncomingMessage): boolean => !complete && hasBody(rawHeaders)

/**
 * Ends an answer, of which all has been written, when its request has been read to the end. Closing earlier would reset a connection on which
 * there are unread bytes, and the reset may overtake the answer. Who sends more than `most` bytes further is cut; so is, by the time-out of
 * requests, who never comes to an end.
 */
export function endWhenRead(incoming: NodeIncoming, response: ServerResponse, most: number): void {
  const { request } = incoming
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= most) return
    incoming.cut = true
    response.destroy()
  })
  request.once('end', () => response.end())
  request.resume()
}
