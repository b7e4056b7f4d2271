/** Codecs with options: what a handler gets, and what a call may leave out. Read by the compiler alone. */
import { array, bool, dateTime, decimal, endpoint, flag, int, json, ok, oneOf, optional, text, uuid } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const api = {
  list: endpoint('GET /stones/:tenant/:page', {
    params: { tenant: uuid({ description: 'whose stones' }), page: int({ min: 1 }) },
    query: {
      limit: int({ min: 1, max: 100, default: 20 }),
      most: int({ max: 9 }),
      sort: oneOf(['age', 'name'], { default: 'age' }),
      order: oneOf(['up', 'down'], { description: 'up or down' }),
      sold: bool({ default: false }),
      since: dateTime({ default: new Date(0) }),
      name: optional(text({ maxLength: 80 })),
      price: decimal({ default: '0' }),
      sizes: array(int({ min: 1 }), { minItems: 1 }),
      loud: flag({ description: 'or quiet' }),
    },
    headers: { 'X-Depth': int({ default: 1 }) },
    response: ok(json),
  }),
  all: endpoint('GET /all', { query: { limit: int({ default: 20 }) }, response: ok(json) }),
}

export const server = serve(api, {
  list: ({ params, query, headers }) => {
    yes<Same<typeof params, { readonly tenant: string; readonly page: number }>>()
    yes<Same<(typeof query)['limit'], number>>()
    yes<Same<(typeof query)['sort'], 'age' | 'name'>>()
    yes<Same<(typeof query)['order'], 'up' | 'down'>>()
    yes<Same<(typeof query)['sold'], boolean>>()
    yes<Same<(typeof query)['since'], Date>>()
    yes<Same<(typeof query)['name'], string | undefined>>()
    yes<Same<(typeof query)['sizes'], readonly number[]>>()
    yes<Same<typeof headers, { readonly 'X-Depth': number }>>()
    return query.loud
  },
  all: ({ query }) => query.limit,
})

type Input = NonNullable<(typeof api.list)['~types']>['call']
yes<Same<Input['query']['limit'], number | undefined>>()
yes<Same<Input['query']['most'], number>>()
yes<Same<Input['query']['sort'], 'age' | 'name' | undefined>>()
yes<Same<Input['query']['sold'], boolean | undefined>>()
yes<Same<Input['query']['since'], Date | undefined>>()

const call = client(api, 'http://127.0.0.1:8081')
await call.all()
await call.all({ query: { limit: 1 } })
await call.list({ params: { tenant: '', page: 1 }, query: { most: 1, order: 'up', sizes: [1] } })
