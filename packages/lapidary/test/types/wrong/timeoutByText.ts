/** A timeout is a number of milliseconds. */
import { endpoint, noContent } from 'lapidary'

export const hello = endpoint('GET /hello', { response: noContent, timeout: '5 s' })
