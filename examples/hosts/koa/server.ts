import Koa from 'koa'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

const app = new Koa()
const listener = toNodeListener(server)
app.use(async (context, next) => {
  if (!server.hasPath(context.url)) return next()
  context.respond = false
  return listener(context.req, context.res)
})
app.use((context) => {
  if (context.path === '/about') context.body = 'The host.'
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
