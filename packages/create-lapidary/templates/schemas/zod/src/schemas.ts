/** What a stone is, in requests and in responses. */
import { z } from 'zod'

export const NewStone = z.object({
  name: z.string().min(1).max(100),
  hardness: z.int().min(1).max(10),
})
export const Stone = NewStone.extend({ id: z.int() })

export type NewStone = z.infer<typeof NewStone>
export type Stone = z.infer<typeof Stone>
