import { endpoint, ok, text } from 'lapidary'
import { type Next, provide } from 'lapidary/server'

const api = { one: endpoint('GET /:id/one', { response: ok(text) }) }
const tenant = async ({ params }: { readonly params: { readonly tenant: string } }, next: Next) => next({ tenant: params.tenant })
export const handlers = provide(api, tenant, { one: () => 'one' })
