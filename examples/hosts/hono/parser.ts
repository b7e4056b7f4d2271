import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { validator } from 'hono/validator'
import { server } from '../server.ts'

const app = new Hono()
app.use(validator('json', (value) => value))
app.all('/api/*', async ({ req }) => {
  const { raw } = req
  return server.fetch(raw.bodyUsed ? new Request(raw, { body: await req.arrayBuffer() }) : raw)
})
serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' })
