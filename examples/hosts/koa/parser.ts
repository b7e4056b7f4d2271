import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

const app = new Koa()
const listener = toNodeListener(server)
app.use(bodyParser())
app.use((context) => {
  context.respond = false
  listener(Object.assign(context.req, { rawBody: context.request.rawBody && Buffer.from(context.request.rawBody) }), context.res)
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
