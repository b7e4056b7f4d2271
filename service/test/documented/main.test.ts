/** Executes the documentation of `main`: every request in it, and every response. */
import { outline } from 'lapidary/docs'
import { expect, test } from 'vitest'
import { documentedEndpoints } from '../../../packages/lapidary/test/support/documented/endpoints.ts'
import { type Exchange, withHeader } from '../../../packages/lapidary/test/support/documented/exchange.ts'
import { planted } from '../../../packages/lapidary/test/support/documented/plantedResponses.ts'
import { testDocumentation } from '../../../packages/lapidary/test/support/documented/proof.ts'
import { people } from '../../src/api/users.ts'
import { main, secretBearer } from '../../src/api.ts'
import { createExchange, documentedService, emptyService, listening, restorer, withoutDatabase } from './surroundings.ts'

// No other test needs what is removed from the doomed one.
const it = await documentedService()
const doomed = await documentedService()
const empty = await emptyService()
const restore = await restorer(it)
const sendFrom =
  (from?: string): Exchange =>
  (request) =>
    createExchange(request.method === 'DELETE' ? doomed.main : it.main, from)(request)
const send = sendFrom()
const sendToEmpty = createExchange(empty.main)
const sendWithoutDatabase = createExchange(await listening(await withoutDatabase(it)))

const schemes = [people, secretBearer]
const sendToFailing = createExchange(
  await listening(
    planted(main, schemes, () => {
      throw new Error('planted')
    }),
  ),
)
const sendToIdle = createExchange(await listening(planted(main, schemes, () => undefined)))

const sendTwice: Exchange = async (request) => {
  await send(request)
  return send(request)
}

/** Sends wrong passwords until further ones are not checked. */
const guess: Exchange = async (request) => {
  const sendFromElsewhere = sendFrom('127.0.0.9')
  const wrong = withHeader(request, 'Authorization', `Basic ${btoa('eve:wrong')}`)
  let response = await sendFromElsewhere(wrong)
  for (let guesses = 1; response.status === 401 && guesses <= 10; guesses += 1) response = await sendFromElsewhere(wrong)
  return response
}

testDocumentation({
  endpoints: await documentedEndpoints(main),
  exchange: send,
  createExchange: async ({ method }) => {
    // What is removed is gone: each request finds a service of its own.
    if (method === 'DELETE') return async (request) => createExchange((await documentedService()).main)(request)
    return async (request) => {
      await restore()
      return send(request)
    }
  },
  unsuccessful: { 'echo.unavailable': 503 },
  provocations: {
    404: sendToEmpty,
    'products.create 409': sendTwice,
    'products.replace 409': (right) => send({ ...right, body: '{"productId":2}' }),
    'colors 416': (right) => send(withHeader(right, 'Range', 'size')),
    // Nothing is removed, and so it is asked where nothing ever was.
    412: (right) => createExchange(it.main)(withHeader(right, 'If-Match', '"other"')),
    429: guess,
    500: sendToFailing,
    503: sendWithoutDatabase,
    // It never succeeds by itself.
    'echo.unavailable 204': sendToIdle,
  },
  troubles: [sendToEmpty, sendTwice, guess, sendToFailing, sendWithoutDatabase],
  hostility: 15,
})

test('the documented rejected request gets the documented response', async () => {
  const { errorExample: refused } = await outline(main)
  const [method = '', target = ''] = refused?.line.split(' ') ?? []
  const response = await send({ method, target, headers: {}, body: null })
  expect([response.status, new TextDecoder().decode(response.body)]).toEqual([refused?.status, refused?.example.text])
})
