/** What was sent, sent back. */
import { errors } from 'lapidary'
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'

export const echo: Handlers<typeof main>['echo'] = {
  json: ({ body }) => body,
  text: ({ body }) => body,
  form: ({ body }) => body as Record<string, string[]>,
  bytes: ({ body }) => body,
  query: ({ query }) => ({ tag: [...query.tag], loud: query.loud }),
  unavailable: () => {
    throw errors.serviceUnavailable({
      reason: 'Service Unavailable',
      body: 'Sorry, this is not available right now. Please try again in a moment.',
      headers: { 'Retry-After': '1' },
    })
  },
}
