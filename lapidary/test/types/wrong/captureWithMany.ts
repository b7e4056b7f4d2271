/** A capture that takes many values. */
import { endpoint, int, many, noContent } from 'lapidary'

export const user = endpoint('GET /users/:id', { params: { id: many(int) }, response: noContent })
