/** A prefix with a capture. */
import { endpoint, noContent, prefix } from 'lapidary'

export const api = prefix('/users/:id', { tasks: endpoint('GET /tasks', { response: noContent }) })
