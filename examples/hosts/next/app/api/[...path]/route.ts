import { server } from '../../../../server.ts'

export const dynamic = 'force-dynamic'
export const { fetch: GET, fetch: HEAD, fetch: POST, fetch: PUT, fetch: PATCH, fetch: DELETE, fetch: OPTIONS } = server
