import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { server } from '../server.ts'

const app = new Hono()
app.use((context, next) => {
  const { raw, url } = context.req
  return server.hasPath(new URL(url).pathname) ? server.fetch(raw) : next()
})
app.get('/about', (context) => context.text('The host.'))
serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' })
