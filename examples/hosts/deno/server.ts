import { server } from '../server.ts'

Deno.serve({ port: Number(Deno.env.get('PORT')), hostname: '127.0.0.1' }, (request) => {
  const { pathname } = new URL(request.url)
  if (server.hasPath(pathname)) return server.fetch(request)
  return pathname === '/about' ? new Response('The host.') : new Response('Not found.', { status: 404 })
})
