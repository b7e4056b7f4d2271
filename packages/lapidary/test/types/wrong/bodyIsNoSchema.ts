/** A plain JSON Schema as a body. */
import { endpoint, noContent } from 'lapidary'

export const add = endpoint('POST /users', { body: { type: 'object' }, response: noContent })
