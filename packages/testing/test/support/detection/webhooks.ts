/** Faults of endpoints that receive webhooks: without a right signature, and with one. */
import { endpoint, noContent, receiveWebhook, webhook, webhookSignature } from 'lapidary'
import { type ApiServer, type Authenticator, authenticate, type IdempotencyStore, type ServeOptions, serve } from 'lapidary/server'
import { authenticateWebhooks, createWebhookSecret } from 'lapidary/webhooks'
import { bare, type Planted, replacing, Stone, withLine, without } from './planted.ts'

/** Keeps nothing: each request is the first one. */
const forgetfulStore: IdempotencyStore = { begin: () => undefined, complete: () => {}, release: () => {} }

function receiving(words: readonly string[], it: ReturnType<typeof receive>): Planted {
  const api = { it }
  const secret = createWebhookSecret()
  const receiver = (auth: Authenticator, options: ServeOptions = {}): ApiServer =>
    serve(api, { it: () => {} }, { auth: [auth], ...options })
  const server = receiver(authenticateWebhooks({ secret }))
  return {
    words,
    api,
    at: 'it',
    right: [server, receiver(authenticateWebhooks({ secret: [createWebhookSecret(), secret] }))],
    options: { credentials: { webhookSignature: secret } },
    faults: [
      ['no signature is needed', () => bare(204), 'credentials', 'there are no credentials: expected 401, got 204'],
      [
        'a missing signature is forbidden',
        replacing(server, 401, (response) => ({ ...response, status: 403 })),
        'credentials',
        'there are no credentials: expected 401, got 403',
      ],
      ['a 401 has no challenge', replacing(server, 401, (response) => without('www-authenticate', response)), 'challenge', 'got none'],
      [
        'a 401 has the challenge of another scheme',
        replacing(server, 401, (response) => withLine('WWW-Authenticate', 'Bearer realm="x"', response)),
        'challenge',
        'expected WWW-Authenticate to name StandardWebhooks, got Bearer realm="x"',
      ],
      [
        'the query is read before the signature',
        (request) => (/%zz/.test(request.target) ? bare(400) : server(request)),
        'credentials',
        'there are no credentials, and the query is not valid: expected 401, got 400',
      ],
      [
        'a wrong signature is accepted',
        receiver(authenticate(webhookSignature, ({ id }) => ({ id }))),
        'webhook-signature',
        'the signature is of another secret: expected 401, got 204',
      ],
      [
        'an old webhook is accepted',
        receiver(authenticateWebhooks({ secret, tolerance: Number.POSITIVE_INFINITY })),
        'webhook-signature',
        'the webhook is of yesterday: expected 401, got 204',
      ],
      [
        'a webhook that is sent again is handled again',
        receiver(authenticateWebhooks({ secret }), { idempotency: { store: forgetfulStore } }),
        'webhook-signature',
        'the same id with another body: expected 422, got 204',
      ],
    ],
  }
}

const receive = (line: 'POST /it') => receiveWebhook(line, webhook('stone.added', { body: Stone }))

export const webhooks: readonly Planted[] = [
  receiving(['receiveWebhook'], receive('POST /it')),
  receiving(
    ['webhookSignature'],
    endpoint('POST /it', { auth: webhookSignature, body: Stone, rawBody: true, response: noContent }) as ReturnType<typeof receive>,
  ),
]
