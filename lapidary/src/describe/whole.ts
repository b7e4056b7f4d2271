/** What comes piece by piece, as a whole. */
import { concatBytes } from './stream.ts'
import { encodeUtf8 } from './utf8.ts'

/** The bytes of all the pieces; texts are UTF-8. */
export async function collectBytes(pieces: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(typeof piece === 'string' ? encodeUtf8(piece) : piece)
  return concatBytes(all)
}
