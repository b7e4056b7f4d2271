import { endpoint, noContent } from 'lapidary'

export const hello = endpoint('GET /hello', { response: noContent, tags: 'greetings' })
