import { endpoint, ok, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /:id/one', { response: ok(text) }) }
const requireTenant = ({ params }: { readonly params: { readonly tenant: string } }) => ({ tenant: params.tenant })
export const handlers = guard(api, requireTenant, { one: () => 'one' })
