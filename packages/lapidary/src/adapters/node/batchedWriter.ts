/** Writes the chunks of a stream to a response of Node. */
import type { Writable } from 'node:stream'
import { maxWriteBatch, type StreamWriter } from '../streamPump.ts'
import type { NodeRequest } from './nodeRequest.ts'

const flushText = (writer: BatchedWriter): void => writer.flushText()

/**
 * Writes chunks to a response. Small texts of one turn are written together, since Node does much for each chunk; none waits for longer than
 * until the producer waits.
 */
export abstract class BatchedWriter implements StreamWriter {
  protected readonly request: NodeRequest
  private readonly response: Writable
  /** The ASCII text of this turn. */
  private unsentText = ''

  constructor(request: NodeRequest, response: Writable) {
    this.request = request
    this.response = response
  }

  abstract write(chunk: string | Uint8Array): Promise<void> | undefined
  abstract fail(): void

  end(): void {
    this.flushText()
    this.response.end()
  }

  flushText(): void {
    const text = this.unsentText
    this.unsentText = ''
    if (text !== '' && !this.response.destroyed) this.response.write(text, 'latin1')
  }

  protected put(chunk: string | Uint8Array): void {
    const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength
    this.request.bytesSent += length
    if (typeof chunk === 'string' && chunk.length === length) {
      if (this.unsentText === '') process.nextTick(flushText, this)
      this.unsentText += chunk
      if (this.unsentText.length >= maxWriteBatch) this.flushText()
      return
    }
    this.flushText()
    // Node would encode the head like a text beyond ASCII, but header values are Latin-1.
    this.response.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  }
}
