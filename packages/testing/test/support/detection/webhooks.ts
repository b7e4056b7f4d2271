/** Faults of endpoints that receive webhooks: a check has no secret, so it sees what happens without a right signature. */
import { endpoint, noContent, receiveWebhook, webhook, webhookSignature } from 'lapidary'
import { serve } from 'lapidary/server'
import { authenticateWebhooks, createWebhookSecret } from 'lapidary/webhooks'
import { bare, type Planted, replacing, Stone, withLine, without } from './planted.ts'

function receiving(words: readonly string[], it: ReturnType<typeof receive>): Planted {
  const api = { it }
  const server = serve(api, { it: () => {} }, { auth: [authenticateWebhooks({ secret: createWebhookSecret() })] })
  return {
    words,
    api,
    at: 'it',
    right: [server],
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
