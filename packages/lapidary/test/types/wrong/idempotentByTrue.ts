import { endpoint, noContent } from 'lapidary'

export const pay = endpoint('POST /pay', { response: noContent, idempotent: true })
