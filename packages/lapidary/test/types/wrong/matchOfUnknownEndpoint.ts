/** A name that no endpoint has: what `match` finds is told apart by the names of the API. */
import { endpoint, int, ok, text } from 'lapidary'
import { match } from 'lapidary/links'

const api = { user: endpoint('GET /users/:id', { params: { id: int }, response: ok(text) }) }

const found = match(api, '/users/7')
export const id: number | undefined = found?.name === 'users' ? found.params.id : undefined
