/** A name that no endpoint has: the names of the API distinguish what `match` finds. */
import { endpoint, int, ok, text } from 'lapidary'
import { match } from 'lapidary/links'

const api = { user: endpoint('GET /users/:id', { params: { id: int }, response: ok(text) }) }

const found = match(api, '/users/7')
export const id: number | undefined = found?.name === 'users' ? found.params.id : undefined
