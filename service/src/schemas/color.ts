/** The record of a colour, in a file of its own: browsers load it too. */
// Not `{ z }`, so that a bundle holds only what is used of it.
import * as z from 'zod'

export const Color = z
  .object({ name: z.string(), rgb: z.tuple([z.int(), z.int(), z.int()]).readonly(), hex: z.string() })
  .meta({ examples: [{ name: 'yellow', rgb: [255, 255, 0], hex: '#ffff00' }] })

export type Color = z.infer<typeof Color>
