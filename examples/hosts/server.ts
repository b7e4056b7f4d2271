/** The API with its handlers. Each host imports this server. */
import { errors, withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import { cors } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { api } from './api.ts'

const stones = [
  { id: 1, name: 'opal', carat: 2 },
  { id: 2, name: 'ruby', carat: 1.5 },
  { id: 3, name: 'onyx', carat: 4 },
]
const delay = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
const find = (id: number) => stones.find((stone) => stone.id === id) ?? errors.notFound()
const seen = { aborted: 0, photos: 0, payments: 0, reported: [] as string[] }

export const server = serve(
  api,
  {
    stones: {
      list: ({ query: { name, above = 0 } }) => stones.filter((one) => (name.length === 0 || name.includes(one.name)) && one.carat > above),
      one: ({ params }) => find(params.id),
      create: ({ body }) => {
        const stone = { id: stones.length + 1, ...body }
        stones.push(stone)
        return withHeaders(stone, { Location: link(api.stones.one, { params: { id: stone.id } }) })
      },
      replace: ({ params, body, precondition }) => {
        precondition(find(params.id))
        Object.assign(find(params.id), body)
      },
      sell: ({ params, fail }) => fail(409, { detail: `The ${find(params.id).name} is sold.` }),
    },
    latest: () => withHeaders({ Location: link(api.stones.one, { params: { id: 3 } }) }),
    notes: ({ params, query }) => ({ text: params.text, words: query.word }),
    login: () => withHeaders({ 'Set-Cookie': { session: 's-1', theme: 'dark' } }),
    me: ({ cookies }) => cookies,
    photo: ({ body: { title, photo } }) => {
      seen.photos += 1
      return { title, name: photo.name, size: photo.size }
    },
    certificate: () => new Blob(['An opal of two carats.'], { type: 'text/plain' }),
    lines: async function* () {
      for (let line = 1; line <= 3; line += 1) {
        yield { line }
        await delay(150)
      }
    },
    changes: async function* () {
      for (let change = 1; change <= 3; change += 1) {
        yield { data: { change } }
        await delay(150)
      }
    },
    pay: ({ body }) => {
      seen.payments += 1
      return withHeaders({ number: seen.payments, ...body }, { Location: '/' })
    },
    wait: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          seen.aborted += 1
          resolve(undefined)
        })
        setTimeout(resolve, 5_000)
      }),
    break: () => {
      throw new Error('the password is opal')
    },
    seen: () => seen,
  },
  {
    middleware: [cors({ origins: ['https://shop.example'] })],
    onError: (error, { route }) => {
      seen.reported.push(`${route}: ${(error as Error).message}`)
    },
  },
)
