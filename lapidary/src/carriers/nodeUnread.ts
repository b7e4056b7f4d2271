/** What is left of a request when its answer is made: read and dropped, so that a client which still sends gets to read the answer, up to a limit. */
import type { ServerResponse } from 'node:http'
import type { NodeHttpRequest } from './nodeIncoming.ts'
import { listenToBody } from './nodeRequest.ts'

/**
 * Ends an answer, of which all has been written, when its request has been read to the end. Closing earlier would reset a connection on which
 * there are unread bytes, and the reset may overtake the answer. Who sends more than `most` bytes further is cut; so is, by the time-out of
 * requests, who never comes to an end.
 */
export function endWhenRequestIsRead(incoming: NodeHttpRequest, response: ServerResponse, most: number): void {
  let length = 0
  listenToBody(incoming.request, (chunk) => {
    if (chunk === null) return void response.end()
    length += chunk.length
    if (length <= most) return
    incoming.isAborted = true
    response.destroy()
  })
}
