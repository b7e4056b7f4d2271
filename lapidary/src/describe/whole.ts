/** What comes piece by piece, as a whole. */
import { joined } from './stream.ts'
import { utf8Encoded } from './utf8.ts'

/** The bytes of all the pieces; texts are UTF-8. */
export async function whole(pieces: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(typeof piece === 'string' ? utf8Encoded(piece) : piece)
  return joined(all)
}
