/** Executes the documentation of `main`: every request in it, and every response. */
import { outline } from 'lapidary/docs'
import { expect, test } from 'vitest'
import { documentedEndpoints } from '../../../packages/lapidary/test/support/documented/endpoints.ts'
import { type Ask, withHeader } from '../../../packages/lapidary/test/support/documented/exchange.ts'
import { planted } from '../../../packages/lapidary/test/support/documented/plantedResponses.ts'
import { proven } from '../../../packages/lapidary/test/support/documented/proof.ts'
import { people } from '../../src/api/users.ts'
import { main, secretBearer } from '../../src/api.ts'
import { asking, documentedService, emptyService, listening, restorer, withoutDatabase } from './surroundings.ts'

// No other test needs what is removed from the doomed one.
const it = await documentedService()
const doomed = await documentedService()
const empty = await emptyService()
const restore = await restorer(it)
const askFrom =
  (from?: string): Ask =>
  (asked) =>
    asking(asked.method === 'DELETE' ? doomed.main : it.main, from)(asked)
const ask = askFrom()
const askEmpty = asking(empty.main)
const askWithoutDatabase = asking(await listening(await withoutDatabase(it)))

const schemes = [people, secretBearer]
const askFailing = asking(
  await listening(
    planted(main, schemes, () => {
      throw new Error('planted')
    }),
  ),
)
const askIdle = asking(await listening(planted(main, schemes, () => undefined)))

const askTwice: Ask = async (asked) => {
  await ask(asked)
  return ask(asked)
}

/** Sends wrong passwords until further ones are not checked. */
const guess: Ask = async (asked) => {
  const askElsewhere = askFrom('127.0.0.9')
  const wrong = withHeader(asked, 'Authorization', `Basic ${btoa('eve:wrong')}`)
  let heard = await askElsewhere(wrong)
  for (let guesses = 1; heard.status === 401 && guesses <= 10; guesses += 1) heard = await askElsewhere(wrong)
  return heard
}

proven({
  endpoints: await documentedEndpoints(main),
  ask,
  askFresh: async ({ method }) => {
    // What is removed is gone: each request finds a service of its own.
    if (method === 'DELETE') return async (asked) => asking((await documentedService()).main)(asked)
    return async (asked) => {
      await restore()
      return ask(asked)
    }
  },
  unsuccessful: { 'echo.unavailable': 503 },
  provocations: {
    404: askEmpty,
    'products.create 409': askTwice,
    'products.replace 409': (right) => ask({ ...right, body: '{"productId":2}' }),
    'colors 416': (right) => ask(withHeader(right, 'Range', 'size')),
    // Nothing is removed, and so it is asked where nothing ever was.
    412: (right) => asking(it.main)(withHeader(right, 'If-Match', '"other"')),
    429: guess,
    500: askFailing,
    503: askWithoutDatabase,
    // It never succeeds by itself.
    'echo.unavailable 204': askIdle,
  },
  troubles: [askEmpty, askTwice, guess, askFailing, askWithoutDatabase],
  hostility: 15,
})

test('the documented rejected request gets the documented response', async () => {
  const { errorExample: refused } = await outline(main)
  const [method = '', target = ''] = refused?.line.split(' ') ?? []
  const heard = await ask({ method, target, headers: {}, body: null })
  expect([heard.status, new TextDecoder().decode(heard.body)]).toEqual([refused?.status, refused?.example.text])
})
