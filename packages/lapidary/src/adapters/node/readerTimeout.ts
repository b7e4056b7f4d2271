/** Disconnects a client that reads nothing of its response. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getWriteQueueSize, onSocketAssigned } from './internals.ts'

/** A timeout that is not needed. */
const ignoreStop = (): void => {}

/**
 * Disconnects the client of a socket when bytes wait for it and it reads none of them for a time. `setTimeout` of the socket alone would
 * also wait on for a client that sends.
 *
 * @param readerTimeout in milliseconds; 0 means none
 * @returns stops it
 */
export function startReaderTimeout(socket: Socket, readerTimeout: number): () => void {
  if (readerTimeout <= 0) return ignoreStop
  let queueSize = getWriteQueueSize(socket)
  // A slow client would look like one that reads nothing, for as long as a large write takes.
  if (queueSize === undefined) {
    socket.setTimeout(readerTimeout)
    return () => void socket.setTimeout(0)
  }
  let written = socket.bytesWritten - socket.writableLength
  const timer = setTimeout(() => {
    if (socket.destroyed) return
    const isStuck =
      socket.writableLength > 0 && getWriteQueueSize(socket) === queueSize && socket.bytesWritten - socket.writableLength === written
    if (isStuck) return void socket.destroy()
    queueSize = getWriteQueueSize(socket)
    written = socket.bytesWritten - socket.writableLength
    timer.refresh()
  }, readerTimeout)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Calls a listener when what a response has written so far is with its socket: at once, or after the responses in front of it. */
export function whenOnSocket(serverResponse: ServerResponse, listener: (socket: Socket) => void): void {
  const { socket } = serverResponse
  if (socket !== null) listener(socket)
  // What was written is handed to the socket after this event.
  else onSocketAssigned(serverResponse, (assigned) => process.nextTick(listener, assigned))
}
