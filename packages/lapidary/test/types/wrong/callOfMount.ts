/** A call of what is mounted, which has no description. */
import { endpoint, mount, ok, text } from 'lapidary'
import { client } from 'lapidary/client'

const api = { hello: endpoint('GET /hello', { response: ok(text) }), files: mount('/files') }

client(api, 'http://127.0.0.1:8081').files()
