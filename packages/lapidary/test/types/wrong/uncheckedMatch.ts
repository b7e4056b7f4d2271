/** What a URL leads to, read before it is known that it leads anywhere. */
import { endpoint, int, ok, text } from 'lapidary'
import { match } from 'lapidary/links'

const api = { user: endpoint('GET /users/:id', { params: { id: int }, response: ok(text) }) }

export const id: number = match(api, '/users/7').params.id
