/** A cookie of the wrong type. */
import { endpoint, int, noContent } from 'lapidary'
import { client } from 'lapidary/client'

const call = client({ visit: endpoint('GET /visits', { cookies: { visits: int }, response: noContent }) }, 'http://127.0.0.1')

void call.visit({ cookies: { visits: 'many' } })
