import { endpoint, ok, text } from 'lapidary'
import { type Next, provide } from 'lapidary/server'

const api = { one: endpoint('GET /one', { response: ok(text) }) }
const named = async (_input: unknown, next: Next) => next({ name: 'Ann' })
export const handlers = provide(api, named, { one: ({ nme }) => nme })
