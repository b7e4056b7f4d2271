/** Reads streams of the web. */

/** Iterates over a web stream. The stream's own iterator would learn that its reader has left only with the next chunk. */
export const iterateWebStream = <T>(stream: ReadableStream<T>): AsyncIterable<T, undefined> => ({
  [Symbol.asyncIterator]: () => {
    const reader = stream.getReader()
    return {
      // The value is undefined at the end and only there.
      next: () => reader.read() as Promise<IteratorResult<T, undefined>>,
      return: async () => {
        await reader.cancel()
        return { done: true, value: undefined }
      },
    }
  },
})
