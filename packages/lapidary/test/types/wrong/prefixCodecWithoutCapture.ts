/** A codec in a prefix for a capture that it does not have. */
import { endpoint, int, noContent, prefix } from 'lapidary'

export const api = prefix('/users/:id', { user: int }, { tasks: endpoint('GET /tasks', { response: noContent }) })
