/** The colors and the rules of ranges, written from the specification, for comparison with the service. */

import names from 'color-name'

export interface Color {
  readonly name: string
  readonly rgb: readonly number[]
  readonly hex: string
}

export type Field = 'name' | 'hex' | 'rgb'

const hexadecimal = (component: number): string => component.toString(16).padStart(2, '0')

/** The CSS named colours. */
export const colors: readonly Color[] = Object.entries(names).map(([name, rgb]) => ({
  name,
  rgb: [...rgb],
  hex: `#${rgb.map(hexadecimal).join('')}`,
}))

export const sumOf = ({ rgb }: Color): number => rgb.reduce((sum, component) => sum + component, 0)

const valueIn = (color: Color, field: Field): string | number => (field === 'rgb' ? sumOf(color) : color[field])

/** Their names, values of `hex` included, are ASCII: JavaScript's order is the order by code point. */
const compared = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0)

/** Every colour in the order of one field; equal values by name, in the same direction. */
export function inOrder(field: Field, order: 'asc' | 'desc', all: readonly Color[] = colors): readonly Color[] {
  const ascending = all.toSorted((one, other) => compared(valueIn(one, field), valueIn(other, field)) || compared(one.name, other.name))
  return order === 'asc' ? ascending : ascending.toReversed()
}

/** The items strictly after a value, then `offset` of them skipped, then `limit` of them; and whether more follow. */
export function page(
  field: Field,
  { after, offset = 0, limit, order = 'desc' }: { after?: string | number; offset?: number; limit: number; order?: 'asc' | 'desc' },
): { readonly items: readonly Color[]; readonly more: boolean } {
  const sign = order === 'asc' ? 1 : -1
  const beyond = inOrder(field, order).filter((color) => after === undefined || sign * compared(valueIn(color, field), after) > 0)
  return { items: beyond.slice(offset, offset + limit), more: beyond.length > offset + limit }
}
