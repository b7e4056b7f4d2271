/** The same three endpoints, described. */
import { endpoint, int, ok, optional, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { z } from 'zod'
import { ready } from './ready.mjs'

const Hello = z.object({ msg: z.string() })
const Position = z.object({ xCoord: z.int(), yCoord: z.int() })
const ClientInfo = z.object({
  clientName: z.string(),
  clientEmail: z.string(),
  clientAge: z.int(),
  clientInterestedIn: z.array(z.string()),
})
const Email = z.object({ from: z.string(), to: z.string(), subject: z.string(), body: z.string() })

const api = {
  hello: endpoint('GET /hello', { query: { name: optional(text) }, response: ok(Hello) }),
  position: endpoint('GET /position/:x/:y', { params: { x: int, y: int }, response: ok(Position) }),
  marketing: endpoint('POST /marketing', { body: ClientInfo, response: ok(Email) }),
}

const handlers = {
  hello: ({ query }) => ({ msg: `Hello, ${query.name ?? 'anonymous coward'}` }),
  position: ({ params }) => ({ xCoord: params.x, yCoord: params.y }),
  marketing: ({ body: { clientName, clientEmail, clientAge, clientInterestedIn } }) => ({
    from: 'great@company.com',
    to: clientEmail,
    subject: `Hey ${clientName}, we miss you!`,
    body: `Hi ${clientName},\n\nSince you've recently turned ${clientAge}, have you checked out our latest ${clientInterestedIn.join(', ')} products? Give us a visit!`,
  }),
}

const { port } = await listen(serve(api, handlers), { port: 0 })
ready(port)
