/** Whose turn it is on a connection of node:http: which answer is given, which wait behind it, and whether another request may follow. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const latest: unique symbol = Symbol('latest request')
const waiting: unique symbol = Symbol('answers that wait')
const spent: unique symbol = Symbol('no request follows')

/** So many answers wait behind the one that is given, before no more requests are read. Those of one read come all at once. */
const mostWaiting = 16

/**
 * Node keeps the answer that a connection is giving under its name; its own handler of what it cannot read looks there, too. By the other names it
 * stops reading where the answers that wait are large, and goes on where they are not; where a node has other names for it, it reads on as ever.
 */
interface Connection extends Socket {
  readonly _httpMessage?: ServerResponse | null
  _paused?: boolean
  readonly parser?: { readonly resume?: () => void } | null
  [latest]?: IncomingMessage
  [waiting]?: Set<ServerResponse>
  [spent]?: boolean
}

/** The answer that a connection is giving. */
export const underWayOn = (socket: Connection): ServerResponse | undefined => socket._httpMessage ?? undefined

/** The request that a connection has made last. */
export const latestOn = (socket: Connection): IncomingMessage | undefined => socket[latest]

/** Hands no further request of a connection to anybody: what is carried out behind its last answer would never be answered. */
export function spend(socket: Connection): void {
  socket[spent] = true
}

/** Reads no further where a client asks on and on without waiting: node would make a request of everything, however many wait for their turn. */
function stopReading(socket: Connection): void {
  if (socket._paused !== false) return
  socket._paused = true
  socket.pause()
}

function readOn(socket: Connection): void {
  if (socket._paused !== true) return
  socket._paused = false
  socket.parser?.resume?.()
  socket.resume()
}

/** Node gives an answer its socket when its turn has come. */
function hasTurn(this: ServerResponse): void {
  const socket: Connection = this.req.socket
  const answers = socket[waiting]
  answers?.delete(this)
  if (answers !== undefined && answers.size < mostWaiting) readOn(socket)
}

/** Node tells an answer that its connection has closed while it is given, and nothing to those that wait behind it. */
function closed(this: Connection): void {
  for (const response of this[waiting] ?? []) {
    response.destroyed = true
    response.emit('close')
  }
}

/**
 * Begins a request in its turn. What cannot be read later may be the rest of it, though it is answered already; and when its connection closes
 * while its answer waits behind another, its answer is told of it as any other is, by `close`.
 *
 * @returns false where nobody is to carry it out
 */
export function begins(request: IncomingMessage, response: ServerResponse): boolean {
  const socket: Connection = request.socket
  if (socket[spent] === true || socket.destroyed) return false
  socket[latest] = request
  if (response.socket !== null) return true
  if (socket[waiting] === undefined) {
    socket[waiting] = new Set()
    socket.once('close', closed)
  }
  socket[waiting].add(response)
  if (socket[waiting].size >= mostWaiting) stopReading(socket)
  response.once('socket', hasTurn)
  return true
}

/** Ends a connection behind the answers that it still has to give. What is not whole of its requests gets none. */
export function endBehind(socket: Connection): void {
  const underWay = underWayOn(socket)
  if (socket[spent] === true && underWay !== undefined) return
  spend(socket)
  const next = (): void => {
    const answer = underWayOn(socket)
    if (answer?.req.complete === true) answer.once('finish', next)
    else socket.destroySoon()
  }
  next()
}
