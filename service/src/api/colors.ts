/** The colours, a page at a time. This file stands apart because the start page bundles it. */
import { endpoint, int, text } from 'lapidary'
import { rangePagination } from 'lapidary/pagination'
// The namespace import lets a bundler drop the unused parts of zod.
import * as z from 'zod'
import { unavailable } from './errors.ts'

export const Color = z
  .object({ name: z.string(), rgb: z.tuple([z.int(), z.int(), z.int()]).readonly(), hex: z.string() })
  .meta({ examples: [{ name: 'yellow', rgb: [255, 255, 0], hex: '#ffff00' }] })
export type Color = Readonly<z.infer<typeof Color>>

/** The ranges of the colours. `rgb` is the sum of the three components. */
export const colorRanges = rangePagination(
  Color,
  {
    name: { codec: text({ description: 'the name', examples: ['yellow'] }), get: (color) => color.name },
    hex: { codec: text({ description: 'the hexadecimal form', examples: ['#ffff00'] }), get: (color) => color.hex },
    rgb: { codec: int, get: (color) => color.rgb.reduce((sum, component) => sum + component, 0) },
  },
  { key: (color) => color.name, default: 'name', options: { rgb: { limit: 5 } } },
)

export const colors = endpoint('GET /colors', {
  summary: 'Colours, a page at a time.',
  ...colorRanges.declaration,
  errors: [...colorRanges.declaration.errors, unavailable],
})
