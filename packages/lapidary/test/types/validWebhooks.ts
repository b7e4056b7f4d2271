/** Webhooks: what is sent, what a receiver gets, and where an API has no function for them. Read by the compiler alone. */
import {
  bearer,
  content,
  endpoint,
  form,
  group,
  mount,
  ok,
  prefix,
  receiveWebhook,
  schemaCodec,
  text,
  type Webhook,
  webhook,
} from 'lapidary'
import { type Call, client } from 'lapidary/client'
import { match } from 'lapidary/links'
import { type HandlerInput, type Handlers, serve } from 'lapidary/server'
import { authenticateWebhooks, createWebhookSender, type SendWebhook } from 'lapidary/webhooks'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const dateTime = z.codec(z.iso.datetime(), z.date(), { decode: (given) => new Date(given), encode: (date) => date.toISOString() })
const Order = z.object({ id: z.int(), count: z.int().default(1) })
const paid = webhook('order.paid', { body: Order, examples: { body: { id: 7 } } })
yes<Same<typeof paid, Webhook<{ id: number; count?: number | undefined }, { id: number; count: number }>>>()

const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  files: mount('/files'),
  paid,
  stones: prefix('/shops/:shop', {
    cut: webhook('stone.cut', { body: schemaCodec(z.object({ at: dateTime })) }),
    named: webhook('stone.named', { body: content(z.object({ name: z.string() }), form) }),
    list: endpoint('GET /stones', { response: ok(text) }),
  }),
  hooks: { gone: webhook('order.gone', { body: text }) },
}

yes<Same<keyof Handlers<typeof api>, 'hello' | 'files' | 'stones'>>()
yes<Same<keyof Handlers<typeof api>['stones'], 'list'>>()
serve(api, { hello: () => 'hi', files: () => ({ status: 204, headers: [], body: null }), stones: { list: ({ params: { shop } }) => shop } })

// What endpoints have in common does not concern webhooks.
const grouped = group(
  { auth: bearer<{ readonly name: string }>('staff') },
  { one: endpoint('GET /one', { response: ok(text) }), paid, hooks: { paid } },
)
yes<Same<keyof Handlers<typeof grouped>, 'one'>>()
yes<Same<(typeof grouped)['paid'], typeof paid>>()
yes<Same<(typeof grouped)['hooks']['paid'], typeof paid>>()

const call = client(api, 'http://127.0.0.1:8081')
yes<Same<keyof typeof call, 'hello' | 'stones' | 'hooks'>>()
yes<Same<keyof typeof call.stones, 'list'>>()
const found = match(api, '/hello')
yes<Same<NonNullable<typeof found>['name'], 'hello' | 'stones.list'>>()

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const { send, close } = createWebhookSender(api, { secret: async ({ url }) => [url, secret], retries: 3 })
yes<Same<keyof typeof send, 'paid' | 'stones' | 'hooks'>>()
yes<Same<typeof send.paid, SendWebhook<{ id: number; count?: number | undefined }>>>()
const { id }: { readonly id: string } = await send.paid(new URL('https://shop.example/'), { id: 7 })
await send.paid('https://shop.example/', { id: 7 }, { subscription: 'subscription 7' })
const secrets = new Map([['subscription 7', secret]])
createWebhookSender(api, {
  secret: async ({ subscription = '' }) => secrets.get(subscription),
  allow: ({ protocol }, { subscription }) => protocol === 'https:' && subscription !== undefined,
})
await send.stones.cut('https://shop.example/', { at: new Date() })
await send.hooks.gone('https://shop.example/', id)
await close()

const received = { paid: receiveWebhook('POST /hooks/:shop', paid), cut: receiveWebhook('POST /cut', api.stones.cut) }
yes<Same<HandlerInput<typeof received.paid>['body'], { id: number; count: number }>>()
yes<Same<HandlerInput<typeof received.paid>['user']['id'], string>>()
yes<Same<HandlerInput<typeof received.paid>['rawBody'], Uint8Array>>()
yes<Same<HandlerInput<typeof received.paid>['params'], { readonly shop: string }>>()
yes<Same<HandlerInput<typeof received.cut>['body'], { at: Date }>>()
yes<Same<Awaited<ReturnType<Call<typeof received.cut>>>, void>>()
serve(
  received,
  { paid: ({ body, params }) => void [body.count, params.shop], cut: async ({ body }) => void body.at.getTime() },
  { auth: [authenticateWebhooks({ secret: ({ target }) => (target === '/cut' ? secret : undefined), tolerance: 60_000 })] },
)
