/** For so long the head of an answer waits for the first piece of its body, in milliseconds. */
export const maxHeadWait = 100
/** Whether nobody waits for the answer any more since the client has left. One that was answered because it took too long has another reason. */
export const hasClientLeft = ({ signal }) => signal.aborted && signal.reason?.name === 'AbortError'
/** Ends a producer that nobody reads any more. What it says to that is nobody's business, a failure included. */
export function releaseIterator(iterator) {
  try {
    Promise.resolve(iterator.return?.()).catch(() => {})
  } catch {
    // As above.
  }
}
/** Failures of streams that were reported, so that the adapter that cuts the connection does not report them again. */
const reportedErrors = new WeakSet()
/** Whether the failure of a stream was reported where it came from. */
export const isReported = (error) => typeof error === 'object' && error !== null && reportedErrors.has(error)
/** Reports the failure of a stream, unless its client has left. @throws the failure; an Error in place of what is no object, since that cannot be known again. */
function reportAndThrow(error, isLeft, report) {
  if (!isLeft) report(error)
  const thrown = typeof error === 'object' && error !== null ? error : new Error(String(error))
  reportedErrors.add(thrown)
  throw thrown
}
/** The same stream, whose failure is reported unless its reader has left before. */
export function reportStreamErrors(pieces, report) {
  const iterator = pieces[Symbol.asyncIterator]()
  let isLeft = false
  const watched = {
    next: async () => {
      try {
        return await iterator.next()
      } catch (error) {
        return reportAndThrow(error, isLeft, report)
      }
    },
    return: async () => {
      isLeft = true
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => watched }
}
/** A stream that has begun: its first piece is there, or an empty one, which asks for the head. */
export class StartedStream {
  iterator
  incoming
  report
  first
  isLate = false
  isLeft = false
  constructor(iterator, incoming, report) {
    this.iterator = iterator
    this.incoming = incoming
    this.report = report
    this.first = iterator.next()
  }
  /**
   * Resolves when the first piece is there, or when there is to be a head without it: after `maxHeadWait`, and of a stream that `isWhole`, when the client
   * has left. Rejects when the producer fails before that.
   */
  head(isWhole) {
    return new Promise((resolve, reject) => {
      const there = () => {
        clearTimeout(timer)
        resolve()
      }
      const late = () => {
        this.isLate = true
        resolve()
      }
      const timer = isWhole ? undefined : setTimeout(late, maxHeadWait)
      // Before the answer is given, it ends by the client alone. Whoever carries it then ends the producer.
      if (isWhole) this.incoming.onEnd(there)
      this.first?.then(there, (error) => {
        clearTimeout(timer)
        if (hasClientLeft(this.incoming)) resolve()
        else reject(error)
      })
    })
  }
  [Symbol.asyncIterator]() {
    return this
  }
  next() {
    if (this.isLate) {
      this.isLate = false
      // An empty piece asks for the head.
      return Promise.resolve({ done: false, value: '' })
    }
    const piece = this.first ?? this.iterator.next()
    this.first = undefined
    return piece.then(undefined, this.failed)
  }
  async return() {
    this.isLeft = true
    // A producer that waits is woken: of the end of an answer to HEAD it would hear nothing otherwise.
    this.incoming.abort(undefined)
    await this.iterator.return?.()
    return { done: true, value: undefined }
  }
  failed = (error) => {
    return reportAndThrow(error, this.isLeft || this.incoming.signal.aborted, this.report)
  }
}
/**
 * The same stream, begun, when there is to be a head: a producer that fails before that is answered with a status of its own. A later failure goes to
 * `report`, unless the client has left, and then on to the adapter, which cuts the connection. An empty piece in front asks the adapter for the head.
 *
 * @param isWhole whether a client can use nothing of it before its end: then the head waits for the first piece for as long as that takes
 */
export async function awaitFirstChunk(pieces, isWhole, incoming, report) {
  const rest = new StartedStream(pieces[Symbol.asyncIterator](), incoming, report)
  await rest.head(isWhole)
  return rest
}
