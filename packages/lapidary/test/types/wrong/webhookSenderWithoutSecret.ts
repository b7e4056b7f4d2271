import { text, webhook } from 'lapidary'
import { createWebhookSender } from 'lapidary/webhooks'

createWebhookSender({ gone: webhook('gone', { body: text }) }, { retries: 3 })
