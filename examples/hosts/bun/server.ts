import { server } from '../server.ts'

Bun.serve({
  port: Number(process.env['PORT']),
  hostname: '127.0.0.1',
  routes: { '/about': new Response('The host.') },
  fetch: (request) => (server.hasPath(new URL(request.url).pathname) ? server.fetch(request) : new Response('Not found.', { status: 404 })),
})
