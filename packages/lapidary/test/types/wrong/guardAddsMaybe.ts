import { endpoint, ok, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /:tenant', { response: ok(text) }) }
const tenants = new Map([['acme', 'Acme']])
export const handlers = guard(
  api,
  async ({ params }) => {
    if (params.tenant === 'public') return
    return { tenant: tenants.get(params.tenant) ?? params.tenant }
  },
  { one: ({ tenant }) => tenant.toUpperCase() },
)
