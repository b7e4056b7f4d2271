/** A type that contains itself. */
import { z } from 'zod'

export interface Tree {
  readonly value: number
  readonly branches: readonly Tree[]
}
export const Tree: z.ZodType<Tree, Tree> = z.object({
  value: z.int(),
  get branches() {
    return z.array(Tree)
  },
})
