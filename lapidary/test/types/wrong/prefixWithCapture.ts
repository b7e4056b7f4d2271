/** A prefix with a capture. */
import { endpoint, noContent, under } from 'lapidary'

export const api = under('/users/:id', { tasks: endpoint('GET /tasks', { response: noContent }) })
