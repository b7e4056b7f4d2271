/** A body as bytes, in the medium of its call. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { joined } from '../describe/stream.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import type { CallBody } from './calls.ts'

/** The bytes, and the header line that names their type. */
export interface WrittenBody {
  readonly type: readonly (readonly [name: string, value: string])[]
  readonly bytes: Uint8Array
}

/** Writes a body as a client does, the pieces of a stream together. */
export async function written({ body }: AnyEndpoint, { type, medium, value }: CallBody): Promise<WrittenBody> {
  const schema = body?.schema === undefined ? undefined : jsonSchemaOf(body.schema)
  const made = medium.writer(schema)(value)
  const pieces: Uint8Array[] = []
  if (typeof made === 'string') pieces.push(utf8Encoded(made))
  else if (made instanceof Uint8Array) pieces.push(made)
  else for await (const piece of made) pieces.push(typeof piece === 'string' ? utf8Encoded(piece) : piece)
  return { type: [['Content-Type', type]], bytes: joined(pieces) }
}
