/** A body as bytes, in the medium of its call. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import { whole } from '../describe/whole.ts'
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
  const bytes = typeof made === 'string' ? utf8Encoded(made) : made instanceof Uint8Array ? made : await whole(made)
  return { type: [['Content-Type', type]], bytes }
}
