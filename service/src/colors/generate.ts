/** An endless, reproducible sequence of colours, such as `Deep Teal 000123`. */

import type { Color } from '../api/colors.ts'
import { toHex } from '../store/seeds.ts'

/** Hues around the colour wheel in steps of 30 degrees, from 0. */
const hueNames = ['Red', 'Orange', 'Yellow', 'Lime', 'Green', 'Mint', 'Teal', 'Azure', 'Blue', 'Violet', 'Magenta', 'Rose'] as const
/** Shades by lightness in equal steps, from black to white. */
const shadeNames = ['Dark', 'Deep', 'Medium', 'Light', 'Pale'] as const
/** If the largest and the smallest component are no further apart, the colour is a grey. */
const greySpread = 24

/** The hue in degrees, 0 to 360 (https://www.w3.org/TR/css-color-4/#rgb-to-hsl). */
function hueOf([red, green, blue]: Color['rgb'], max: number, spread: number): number {
  const turn = (at: number, difference: number): number => (60 * (at + difference / spread) + 360) % 360
  if (max === red) return turn(0, green - blue)
  return max === green ? turn(2, blue - red) : turn(4, red - green)
}

/** The shade and the hue: `Deep Teal`. */
function describeColor(rgb: Color['rgb']): string {
  const max = Math.max(...rgb)
  const min = Math.min(...rgb)
  const shade = shadeNames[Math.floor(((max + min) / 511) * shadeNames.length)]
  const spread = max - min
  return `${shade} ${spread <= greySpread ? 'Grey' : hueNames[Math.round(hueOf(rgb, max, spread) / 30) % hueNames.length]}`
}

/** The size of a coarse grid over the cube of all colours: 16 values of each component. */
const gridSize = 2 ** 12
/** The number of 24-bit colours. Then they repeat under other names. */
const colorCount = 2 ** 24

/**
 * The place of a colour in the cube. Any number of colours covers the whole cube, and neighbours in the sequence are neighbours in the
 * cube, so that a database inserts them into the same pages of its indexes. After the coarse grid, each round puts one colour between every
 * two.
 */
function placeOf(index: number): number {
  if (index < gridSize) return index * (colorCount / gridSize)
  const round = 31 - Math.clz32(index / gridSize)
  const before = gridSize * 2 ** round
  return (2 * (index - before) + 1) * (colorCount / before / 2)
}

/** Every third bit, from the lowest. Eight of them are a component (a Z-order curve). */
function everyThirdBit(place: number): number {
  let component = 0
  for (let bit = 0; bit < 8; bit += 1) component |= ((place >> (3 * bit)) & 1) << bit
  return component
}

/** The generated colour at `index`, from 0. Each has a name of its own. */
export function generateColor(index: number): Color {
  const place = placeOf(index % colorCount)
  const rgb = [everyThirdBit(place >> 2), everyThirdBit(place >> 1), everyThirdBit(place)] as const
  return { name: `${describeColor(rgb)} ${String(index).padStart(6, '0')}`, rgb, hex: toHex(rgb) }
}
