import { endpoint, flag, ok, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /one', { query: { all: flag }, response: ok(text) }) }
export const handlers = guard(api, ({ query }: { readonly query?: { readonly all: boolean } }) => ({ all: query?.all }), { one: () => 'one' })
