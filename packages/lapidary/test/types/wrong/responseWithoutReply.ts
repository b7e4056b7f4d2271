/** A body without the reply that it stands in. */
import { endpoint, text } from 'lapidary'

export const hello = endpoint('GET /hello', { response: text })
