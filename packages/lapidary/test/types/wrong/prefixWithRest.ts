/** A prefix with a rest. */
import { endpoint, noContent, prefix } from 'lapidary'

export const api = prefix('/files/*path', { info: endpoint('GET /info', { response: noContent }) })
