import { env } from 'cloudflare:workers'
import { server } from '../server.ts'

export default {
  fetch: (request) => {
    const { pathname } = new URL(request.url)
    if (server.hasPath(pathname)) return server.fetch(request)
    return pathname === '/about' ? new Response(env.GREETING) : new Response('Not found.', { status: 404 })
  },
} satisfies ExportedHandler
