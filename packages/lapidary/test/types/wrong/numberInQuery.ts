/** A value where a codec or a schema is expected. */
import { endpoint, noContent } from 'lapidary'

export const users = endpoint('GET /users', { query: { age: 42 }, response: noContent })
