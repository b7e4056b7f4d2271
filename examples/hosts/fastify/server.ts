import fastify from 'fastify'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

const app = fastify()
const listener = toNodeListener(server)
app.addHook('onRequest', (request, reply, done) => listener(request.raw, reply.raw, done))
app.get('/about', () => 'The host.')
await app.listen({ port: Number(process.env['PORT']) })
