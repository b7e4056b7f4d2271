import { endpoint, ok, text } from 'lapidary'

declare module 'lapidary' {
  interface EndpointMeta {
    readonly role?: 'admin' | 'member'
  }
}
export const one = endpoint('GET /one', { response: ok(text), meta: { role: 'boss' } })
