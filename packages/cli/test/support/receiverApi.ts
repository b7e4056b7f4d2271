/** An API that receives a webhook, for the command line. */
import { receiveWebhook, webhook } from 'lapidary'
import { type ApiServer, serve } from 'lapidary/server'
import { authenticateWebhooks } from 'lapidary/webhooks'
import { z } from 'zod'

export const api = { paid: receiveWebhook('POST /paid', webhook('order.paid', { body: z.object({ id: z.int() }) })) }

/** Serves it. */
export const receiver = (secret: string): ApiServer => serve(api, { paid: () => {} }, { auth: [authenticateWebhooks({ secret })] })
