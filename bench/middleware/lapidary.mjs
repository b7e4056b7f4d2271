/** Lapidary with what `lapidary/middleware` has for every API. */
import { endpoint, list, ok, optional, text } from 'lapidary'
import { accessLog, cors, requestId, securityHeaders, timeout } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { pino } from 'pino'
import { z } from 'zod'
import { greeting, hundred } from '../servers/data.mjs'
import { ready } from '../servers/ready.mjs'
import { hasMiddleware, openLog, origin, timeLimit } from './usual.mjs'

const User = z.object({ name: z.string(), age: z.int(), email: z.string(), registration_date: z.string() })
const api = {
  hello: endpoint('GET /hello', { query: { name: optional(text) }, response: ok(z.object({ msg: z.string() })) }),
  hundred: endpoint('GET /hundred', { response: ok(list(User)) }),
}

function listMiddleware() {
  const log = pino(openLog())
  return [requestId(), accessLog((entry) => log.info(entry)), cors({ origins: [origin] }), securityHeaders(), timeout(timeLimit)]
}

const handlers = { hello: ({ query }) => greeting(query.name), hundred: () => hundred }
const { port } = await listen(serve(api, handlers, { middleware: hasMiddleware ? listMiddleware() : [] }), { port: 0 })
ready(port)
