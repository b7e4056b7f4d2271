/** A capture that takes many values. */
import { endpoint, int, array, noContent } from 'lapidary'

export const user = endpoint('GET /users/:id', { params: { id: array(int) }, response: noContent })
