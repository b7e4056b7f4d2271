/** The API in Hono with its zod validator, for node:http and for Bun. */
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { stream } from 'hono/streaming'
import { email, greeting, hundred, many, thousand } from '../data.mjs'
import { pageOf } from '../pages.mjs'
import { ClientInfo, HelloQuery, PageQuery, PositionParams } from '../schemas.mjs'

/** @param {import('../data.mjs').Store} rows */
export function app(rows) {
  const app = new Hono()
  app.get('/hello', zValidator('query', HelloQuery), (c) => c.json(greeting(c.req.valid('query').name)))
  app.get('/position/:x/:y', zValidator('param', PositionParams), (c) => {
    const { x, y } = c.req.valid('param')
    return c.json({ xCoord: x, yCoord: y })
  })
  app.post('/marketing', zValidator('json', ClientInfo), (c) => c.json(email(c.req.valid('json'))))
  app.get('/hundred', (c) => c.json(hundred))
  app.get('/thousand', (c) => c.json(thousand))
  app.get('/stored', (c) => c.json(rows.users()))
  app.get('/tagged', etag(), (c) => c.json(hundred))
  app.get('/colors', zValidator('query', PageQuery), (c) => {
    const { items, headers } = pageOf(rows, c.req.valid('query').after)
    return c.json(items, 200, headers)
  })
  app.get('/stream', (c) => {
    c.header('Content-Type', 'application/x-ndjson')
    return stream(c, async (out) => {
      for await (const user of many()) await out.write(`${JSON.stringify(user)}\n`)
    })
  })
  return app
}
