/** What a stone is, in requests and in responses. */
import { type } from 'arktype'

export const NewStone = type({
  name: '1 <= string <= 100',
  hardness: '1 <= number.integer <= 10',
})
export const Stone = NewStone.and({ id: 'number.integer' })

export type NewStone = typeof NewStone.infer
export type Stone = typeof Stone.infer
