/** An endpoint that answers nothing. */
import { endpoint } from 'lapidary'

export const hello = endpoint('GET /hello', {})
