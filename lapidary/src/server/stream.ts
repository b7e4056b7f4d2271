/** Streams: nothing is promised before the first piece is there, and nobody is left running when the reader has gone. */

type Pieces = AsyncIterable<string | Uint8Array>

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
      report(error)
      throw error
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
