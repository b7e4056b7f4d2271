import { endpoint, ok, text } from 'lapidary'
import { provide } from 'lapidary/server'

const api = { one: endpoint('GET /one', { response: ok(text) }) }
const forgetful = async () => {}
export const handlers = provide(api, forgetful, { one: () => 'one' })
