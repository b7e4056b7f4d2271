/** A codec for a capture that the route does not have. */
import { endpoint, int, noContent } from 'lapidary'

export const user = endpoint('GET /users/:id', { params: { idd: int }, response: noContent })
