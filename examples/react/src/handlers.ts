/** What the server does, in memory. The mock in the page does the same, so it needs nothing of Node.js. */
import { errors } from 'lapidary'
import type { Handlers } from 'lapidary/server'
import { type api, type Stone, stonePages } from './api.ts'

const names =
  'agate amber amethyst beryl citrine diamond emerald fluorite garnet jade jasper lapis malachite opal pearl peridot ruby sapphire topaz zircon'
const colors = ['#b45309', '#d97706', '#7c3aed', '#0d9488', '#ca8a04', '#64748b', '#15803d', '#4f46e5', '#b91c1c', '#16a34a']

export function createHandlers(): Handlers<typeof api> {
  const stones = new Map<number, Stone>(
    names
      .split(' ')
      .map((name, index) => [
        index + 1,
        { id: index + 1, name, carat: 1 + ((index * 7) % 20) / 10, color: colors[index % colors.length] ?? '' },
      ]),
  )
  const find = (id: number): Stone => {
    const stone = stones.get(id)
    if (stone === undefined) throw errors.notFound()
    return stone
  }
  return {
    stones: {
      list: (input) => stonePages.page(input, [...stones.values()]),
      one: ({ params }) => find(params.id),
      rename: ({ params, body, precondition }) => {
        const stone = find(params.id)
        precondition(stone)
        stones.set(params.id, { ...stone, name: body.name })
      },
    },
    photo: ({ body }) => ({ name: body.photo.name, bytes: body.photo.size }),
    prices: async function* ({ headers }) {
      for (let id = (headers['Last-Event-ID'] ?? 0) + 1; ; id += 1) {
        yield { id: `${id}`, data: { id: 1 + (id % stones.size), euros: 200 + ((id * 37) % 400) } }
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    },
  }
}
