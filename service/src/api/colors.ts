/** The colours, a page at a time, in a file of their own: browsers call them too. */
import { described, endpoint, int, text } from 'lapidary'
import { rangePagination } from 'lapidary/pagination'
import { Color } from '../schemas/color.ts'
import { unavailable } from './errors.ts'

/** The ranges of the colours. `rgb` is the sum of the three components. */
export const colorRanges = rangePagination(
  Color,
  {
    name: { codec: described(text, 'the name', 'yellow'), get: (color) => color.name },
    hex: { codec: described(text, 'the hexadecimal form', '#ffff00'), get: (color) => color.hex },
    rgb: { codec: int, get: (color) => color.rgb.reduce((sum, component) => sum + component, 0) },
  },
  { key: (color) => color.name, default: 'name', options: { rgb: { limit: 5 } } },
)

export const colors = endpoint('GET /colors', {
  summary: 'Colours, a page at a time.',
  ...colorRanges.declaration,
  errors: [...colorRanges.declaration.errors, unavailable],
})
