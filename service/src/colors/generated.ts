/** Colours without end, always the same ones: `Deep Teal 000123`. */

import { hexOf } from '../store/hexOf.ts'
import type { Color } from '../store/store.ts'
import { words } from './words.ts'

/** So many fill the cube of all colours evenly, but coarsely: 16 values of each component. */
const coarse = 2 ** 12
/** Every colour that 24 bits can say; then they come again, under other names. */
const all = 2 ** 24

/**
 * The place in the cube of the colour at `index`, so that any number of colours is spread over all of it, and neighbours in the order
 * are neighbours in the cube: a database finds where to put them in the same pages of its indexes. After the coarse ones each round
 * puts one between every two, which doubles them.
 */
function placeOf(index: number): number {
  if (index < coarse) return index * (all / coarse)
  const round = 31 - Math.clz32(index / coarse)
  const before = coarse * 2 ** round
  return (2 * (index - before) + 1) * (all / before / 2)
}

/** Every third bit, from the lowest: eight of them are a component (a Z-order curve). */
function thirdBits(place: number): number {
  let component = 0
  for (let bit = 0; bit < 8; bit += 1) component |= ((place >> (3 * bit)) & 1) << bit
  return component
}

/** The generated colour at `index`, which counts from 0. No two have one name. */
export function generated(index: number): Color {
  const place = placeOf(index % all)
  const rgb = [thirdBits(place >> 2), thirdBits(place >> 1), thirdBits(place)] as const
  return { name: `${words(rgb)} ${String(index).padStart(6, '0')}`, rgb, hex: hexOf(rgb) }
}
