/** The writing side of a connection of the swift carrier: waits for a reader that is behind, and cuts one that takes nothing any more. */
import type { Socket } from 'node:net'

/** So much of what is written piece by piece goes out at once, at most, in bytes. */
const maxLlhttpWriteBatch = 16_384

const flushWriter = (writing: ConnectionWriter): void => void writing.flush()

export class ConnectionWriter {
  private readonly socket: Socket
  /** In milliseconds. */
  private readonly readerTimeout: number
  /** Resolves the promise of `drained`. */
  private resolveDrain: (() => void) | undefined = undefined
  /** Of this turn: Latin-1, a character a byte. */
  private unsentText = ''

  constructor(socket: Socket, readerTimeout: number) {
    this.socket = socket
    this.readerTimeout = readerTimeout
    socket.on('drain', () => this.resume())
    socket.on('timeout', () => socket.destroy())
  }

  /** Writes a little, together with what else is written in this turn. False: the reader is behind. */
  write(text: string): boolean {
    if (this.unsentText === '') process.nextTick(flushWriter, this)
    this.unsentText += text
    if (this.unsentText.length >= maxLlhttpWriteBatch) this.flush()
    return !this.socket.writableNeedDrain
  }

  /** Hands on what has been put so far. */
  flush(): void {
    const { socket, unsentText: unsent } = this
    this.unsentText = ''
    if (unsent !== '' && socket.writable) socket.write(unsent, 'latin1')
  }

  /** Ends the connection behind what was written. */
  end(): void {
    this.flush()
    this.socket.setTimeout(this.readerTimeout)
    this.socket.destroySoon()
  }

  /** Calls it when the system has taken everything that was written. */
  onFlushed(then: () => void): void {
    const { socket } = this
    socket.setTimeout(this.readerTimeout)
    socket.write('', () => {
      socket.setTimeout(0)
      then()
    })
  }

  /** Resolves when there is room for more, or nobody left to send it to. */
  waitForDrain(): Promise<void> {
    if (this.socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      this.socket.setTimeout(this.readerTimeout)
      this.resolveDrain = resolve
    })
  }

  /** There is room, or nobody any more. */
  resume(): void {
    if (this.resolveDrain === undefined) return
    // A producer may be silent for as long as it likes.
    this.socket.setTimeout(0)
    this.resolveDrain()
    this.resolveDrain = undefined
  }
}
