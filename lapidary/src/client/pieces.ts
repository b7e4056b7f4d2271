/** The pieces of a body, read as they are asked for: whoever reads slowly slows the server down. */
import type { Answered } from './answered.ts'
import { onAbort } from './ending.ts'

/** Leaves a body. What comes of that is nobody's business any more, and need not be waited for. */
export const left = (body: Pick<ReadableStream, 'cancel'> | null): void => void body?.cancel().catch(() => undefined)

/** Reads to the end, or until the call is ended early. Whoever leaves before the end is told to the server. @throws What the carrier says. */
export async function* pieces({ response, ending: { signal } }: Answered): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (reader === undefined) return
  // Not every `fetch` heeds a signal.
  const leave = onAbort(signal, () => left(reader))
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
    // A body that was left looks like one that ended.
    signal.throwIfAborted()
  } finally {
    leave()
    left(reader)
  }
}
