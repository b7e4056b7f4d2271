/** The writing side of a connection of the swift carrier: waits for a reader that is behind, and cuts one that takes nothing any more. */
import type { Socket } from 'node:net'

export class SwiftWriting {
  private readonly socket: Socket
  /** In milliseconds. */
  private readonly readerTimeout: number
  /** Resolves the promise of `drained`. */
  private taken: (() => void) | undefined = undefined

  constructor(socket: Socket, readerTimeout: number) {
    this.socket = socket
    this.readerTimeout = readerTimeout
    socket.on('drain', () => this.go())
    socket.on('timeout', () => socket.destroy())
  }

  /** Calls it when the system has taken everything that was written. */
  flushed(then: () => void): void {
    const { socket } = this
    socket.setTimeout(this.readerTimeout)
    socket.write('', () => {
      socket.setTimeout(0)
      then()
    })
  }

  /** Resolves when there is room for more, or nobody left to send it to. */
  drained(): Promise<void> {
    if (this.socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      this.socket.setTimeout(this.readerTimeout)
      this.taken = resolve
    })
  }

  /** There is room, or nobody any more. */
  go(): void {
    if (this.taken === undefined) return
    // A producer may be silent for as long as it likes.
    this.socket.setTimeout(0)
    this.taken()
    this.taken = undefined
  }
}
