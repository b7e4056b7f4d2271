/** A change that is made on a condition, without it. */
import { endpoint, noContent } from 'lapidary'
import { client } from 'lapidary/client'

const call = client({ remove: endpoint('DELETE /sign', { response: noContent, etag: 'required' }) }, 'http://127.0.0.1')

call.remove({ headers: {} })
