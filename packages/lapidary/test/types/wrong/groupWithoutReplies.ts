import { endpoint, group, ok, text } from 'lapidary'

export const api = group({ errors: [404] }, { one: endpoint('GET /one', { response: ok(text) }) })
