import { endpoint, ok, text, webhook } from 'lapidary'
import { createWebhookSender } from 'lapidary/webhooks'

const api = { hello: endpoint('GET /hello', { response: ok(text) }), gone: webhook('gone', { body: text }) }
const { send } = createWebhookSender(api, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
await send.hello('https://shop.example/', 'hi')
