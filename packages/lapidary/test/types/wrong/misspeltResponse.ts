/** A misspelt `response`. */
import { endpoint, ok, text } from 'lapidary'

export const hello = endpoint('GET /hello', { reponse: ok(text) })
