/** A user who may be absent. */
import { basic, endpoint, ok, optional, text } from 'lapidary'
import { serve } from 'lapidary/server'

const staff = basic<{ readonly name: string }>('staff')
const api = { page: endpoint('GET /page', { auth: optional(staff), response: ok(text) }) }

export const server = serve(api, { page: ({ user }) => user.name })
