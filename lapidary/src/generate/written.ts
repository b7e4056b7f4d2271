/** A body as bytes, in the medium of its call. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { getJsonSchema } from '../describe/schema.ts'
import { encodeUtf8 } from '../describe/utf8.ts'
import { collectBytes } from '../describe/whole.ts'
import type { CallBody } from './calls.ts'

/** The bytes, and the header line that names their type. */
export interface WireBody {
  readonly type: readonly (readonly [name: string, value: string])[]
  readonly bytes: Uint8Array
}

/** Writes a body as a client does, the pieces of a stream together. */
export async function encodeBody({ body }: AnyEndpoint, { type, medium, value }: CallBody): Promise<WireBody> {
  const schema = body?.schema === undefined ? undefined : getJsonSchema(body.schema)
  const made = medium.writer(schema)(value)
  const bytes = typeof made === 'string' ? encodeUtf8(made) : made instanceof Uint8Array ? made : await collectBytes(made)
  return { type: [['Content-Type', type]], bytes }
}
