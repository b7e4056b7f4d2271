/** A route without its method. */
import { endpoint, noContent } from 'lapidary'

export const user = endpoint('/users/:id', { response: noContent })
