/** Streams: nothing is promised before the first piece is there, and nobody is left running when the reader has gone. */

type Piece = string | Uint8Array
type Pieces = AsyncIterable<Piece>

/** Ends a producer that nobody reads any more. What it says to that is nobody's business, a failure included. */
export function release(iterator: AsyncIterator<unknown>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(() => {})
  } catch {
    // As above.
  }
}

/** Failures of streams that were reported, so that the carrier that cuts the connection does not report them again. */
const known = new WeakSet<object>()

/** Whether the failure of a stream was reported where it came from. */
export const isReported = (error: unknown): boolean => typeof error === 'object' && error !== null && known.has(error)

/** Reports the failure of a stream. @throws the failure; an Error in place of what is no object, since that cannot be known again. */
function reportAndThrow(error: unknown, report: (error: unknown) => void): never {
  report(error)
  const thrown = typeof error === 'object' && error !== null ? error : new Error(String(error))
  known.add(thrown)
  throw thrown
}

/** The same stream, whose failure is reported unless its reader has left before. */
export function reporting(pieces: Pieces, report: (error: unknown) => void): Pieces {
  const iterator = pieces[Symbol.asyncIterator]()
  let isLeft = false
  const watched: AsyncIterator<Piece> = {
    next: async () => {
      try {
        return await iterator.next()
      } catch (error) {
        if (isLeft) throw error
        return reportAndThrow(error, report)
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

/**
 * The same stream, begun: its first piece is made before this resolves, so that a producer which fails at once is answered with a status of its own.
 * A later failure goes to `report` and then on to the carrier, which cuts the connection.
 */
export async function begun(pieces: Pieces, report: (error: unknown) => void): Promise<Pieces> {
  const iterator = pieces[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<string | Uint8Array>> | undefined = Promise.resolve(await iterator.next())
  const reported = async (): Promise<IteratorResult<string | Uint8Array>> => {
    try {
      return await iterator.next()
    } catch (error) {
      return reportAndThrow(error, report)
    }
  }
  const rest: AsyncIterator<string | Uint8Array> = {
    next: () => {
      const piece = first ?? reported()
      first = undefined
      return piece
    },
    return: async () => {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => rest }
}
