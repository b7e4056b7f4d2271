import { endpoint, ok, text } from 'lapidary'
import { guard, serve } from 'lapidary/server'

const api = { one: endpoint('GET /:tenant', { response: ok(text) }) }
const handlers = guard(api, ({ tenant }: { readonly tenant: string }) => void tenant, { one: () => 'one' })
export const server = serve(api, handlers)
