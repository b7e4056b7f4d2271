/** The pieces of a body, read as they are asked for: whoever reads slowly slows the server down. */
import * as failure from '../describe/failure.ts'
import type { ReceivedResponse } from './answered.ts'
import { onAbort } from './ending.ts'
import { UnexpectedResponseError } from './unexpectedAnswer.ts'

/** Leaves a body. What comes of that is nobody's business any more, and need not be waited for. */
export const cancelBody = (body: Pick<ReadableStream, 'cancel'> | null): void => void body?.cancel().catch(() => undefined)

/**
 * Reads to the end, or until the call is ended early. Whoever leaves before the end is told to the server. `held` counts the bytes that the reader
 * has made nothing of so far: it begins again whenever the reader sets it to 0.
 *
 * @throws What the carrier says; UnexpectedAnswer for more bytes than may be held.
 */
export async function* readChunks(
  { call, response, cancellation: { signal }, limit }: ReceivedResponse,
  held: { bytes: number } = { bytes: 0 },
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (reader === undefined) return
  // Not every `fetch` heeds a signal.
  const leave = onAbort(signal, () => cancelBody(reader))
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      held.bytes += piece.value.length
      yield piece.value
      if (held.bytes > limit) throw new UnexpectedResponseError(call, response, failure.responseTooLarge(limit))
    }
    // A body that was left looks like one that ended.
    signal.throwIfAborted()
  } finally {
    leave()
    cancelBody(reader)
  }
}
