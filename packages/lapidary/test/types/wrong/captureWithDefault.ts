/** A capture that may be left out. */
import { endpoint, int, noContent } from 'lapidary'

export const user = endpoint('GET /users/:id', { params: { id: int({ default: 1 }) }, response: noContent })
