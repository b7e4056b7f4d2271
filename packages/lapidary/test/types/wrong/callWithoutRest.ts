/** A call without the rest of its path. */
import { endpoint, noContent } from 'lapidary'
import { link } from 'lapidary/links'

const file = endpoint('GET /files/*path', { response: noContent })
export const path = link(file, { params: {} })
