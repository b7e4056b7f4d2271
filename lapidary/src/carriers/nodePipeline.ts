/** Reads no further where a client asks on and on without waiting: node:http would make a request of everything, however many wait for their turn. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So many requests wait behind the one that is answered, before no more are read. Those of one read come all at once. */
const mostQueued = 16

const queued: unique symbol = Symbol('queued requests')

/**
 * Node itself stops reading by these where the answers that wait are large, and goes on where they are not; where a node has other names for it, it
 * reads on as ever.
 */
interface Queueing extends Socket {
  _paused?: boolean
  readonly parser?: { readonly resume?: () => void } | null
  [queued]?: number
}

function goOn(socket: Queueing): void {
  if (socket._paused !== true) return
  socket._paused = false
  socket.parser?.resume?.()
  socket.resume()
}

/** Counts an answer that has to wait for others of its connection. Beyond the limit nothing is read until its turn comes nearer. */
export function enqueued(socket: Queueing, response: ServerResponse): void {
  const count = (socket[queued] ?? 0) + 1
  socket[queued] = count
  if (count >= mostQueued && socket._paused === false) {
    socket._paused = true
    socket.pause()
  }
  // Node gives an answer its socket when its turn has come.
  response.once('socket', () => {
    const left = (socket[queued] ?? 1) - 1
    socket[queued] = left
    if (left < mostQueued) goOn(socket)
  })
}
