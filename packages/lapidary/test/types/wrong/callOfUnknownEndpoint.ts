/** A call of an endpoint that is not there: a slip of the pen. */
import { endpoint, ok, text } from 'lapidary'
import { client } from 'lapidary/client'

const api = { hello: endpoint('GET /hello', { response: ok(text) }) }

client(api, 'http://127.0.0.1:8081').helo()
