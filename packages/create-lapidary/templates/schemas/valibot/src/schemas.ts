/** What a stone is, in requests and in responses. `toStandardJsonSchema` gives a schema of Valibot its JSON Schema. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'

const newStone = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  hardness: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)),
})
const stone = v.object({ ...newStone.entries, id: v.pipe(v.number(), v.integer()) })

export const NewStone = toStandardJsonSchema(newStone)
export const Stone = toStandardJsonSchema(stone)

export type NewStone = v.InferOutput<typeof newStone>
export type Stone = v.InferOutput<typeof stone>
