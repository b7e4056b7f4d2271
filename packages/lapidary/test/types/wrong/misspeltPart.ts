/** A slip of the pen in the name of a part. */
import { endpoint, noContent, text } from 'lapidary'

export const hello = endpoint('GET /hello', { response: noContent, querry: { name: text } })
