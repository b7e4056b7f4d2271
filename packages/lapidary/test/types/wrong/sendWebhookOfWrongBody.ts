import { webhook } from 'lapidary'
import { createWebhookSender } from 'lapidary/webhooks'
import { z } from 'zod'

const api = { paid: webhook('order.paid', { body: z.object({ id: z.int() }) }) }
const { send } = createWebhookSender(api, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
await send.paid('https://shop.example/', { id: 'seven' })
