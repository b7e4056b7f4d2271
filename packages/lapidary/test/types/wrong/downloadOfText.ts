/** A download is a file, not a text. */
import { download, endpoint, ok } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { report: endpoint('GET /report', { response: ok(download('text/plain')) }) }
export const server = serve(api, { report: () => 'The report.' })
