/** A request of node:http whose body is taken as it comes. The machinery of streams costs as much as all the rest of a small request. */
import { IncomingMessage } from 'node:http'

/** For a request without a body, and for whom its end is nothing. */
const ignoreBody = () => {}
/** What node makes its requests of: `createServer({ IncomingMessage: NodeRequest })`. It is a stream all the same, for whoever reads it as one. */
export class DirectIncomingMessage extends IncomingMessage {
  bodyListener
  onCutOff
  constructor(socket) {
    super(socket)
    this.bodyListener = undefined
    this.onCutOff = undefined
  }
  /**
   * Whether what comes goes to `taker` from now on, in place of the one before. What has come already stays in the stream.
   *
   * @param failed called when the connection ends before the body does
   */
  listenToBody(taker, failed) {
    const isTaken = this.bodyListener !== undefined
    if (!isTaken && (this.complete || this.readableLength > 0 || this.readableFlowing !== null)) return false
    this.bodyListener = taker
    this.onCutOff = failed
    // Its end has been and gone, past whoever was there before.
    if (isTaken && this.complete) taker(null)
    else if (this.destroyed) failed()
    return true
  }
  /** Says that there is no body, so that its end need not be told to anybody. */
  markBodiless() {
    this.bodyListener = ignoreBody
  }
  /** The whole stream, for who wants one, of a request of which nothing has been taken. */
  restoreStream() {
    if (this.bodyListener === undefined) return
    this.bodyListener = undefined
    if (this.complete) super.push(null)
  }
  push(piece) {
    if (this.bodyListener === undefined) return super.push(piece)
    this.bodyListener(piece)
    return true
  }
  /** Node does it when the connection ends before the body does. */
  destroy(error) {
    if (!this.complete) this.onCutOff?.()
    return super.destroy(error)
  }
  /** Node resumes a stream that nobody has read. There is nothing in this one. */
  resume() {
    return this.bodyListener === undefined ? super.resume() : this
  }
}
/**
 * Hands what comes of a body to `taker`, past the stream where that is possible.
 *
 * @param failed called when the connection ends before the body does
 */
export function listenToBody(request, taker, failed = ignoreBody) {
  if (request instanceof DirectIncomingMessage && request.listenToBody(taker, failed)) return
  // A stream that has failed does not say so again.
  if (request.destroyed && !request.readableEnded) {
    failed()
    return
  }
  request.once('error', failed)
  request.on('data', taker)
  request.once('end', () => taker(null))
  request.resume()
}
