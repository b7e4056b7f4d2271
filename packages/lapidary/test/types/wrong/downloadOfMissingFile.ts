/** A handler has to say what becomes of a file that is not there. */
import { download, endpoint, ok, reply } from 'lapidary'
import { serve } from 'lapidary/server'
import { sendFile } from 'lapidary/static'

const api = { report: endpoint('GET /report', { response: ok(download('application/pdf')), errors: [reply(404)] }) }
export const server = serve(api, { report: async () => sendFile('report.pdf') })
