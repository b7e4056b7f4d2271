/** What a colour is called, in two words: `Deep Teal`. */

import type { Color } from '../store/store.ts'

/** Around the colour wheel in steps of 30 degrees, from 0. */
const hues = ['Red', 'Orange', 'Yellow', 'Lime', 'Green', 'Mint', 'Teal', 'Azure', 'Blue', 'Violet', 'Magenta', 'Rose'] as const
/** By lightness, from black to white, in equal steps. */
const shades = ['Dark', 'Deep', 'Medium', 'Light', 'Pale'] as const
/** Where the largest and the smallest component are no further apart, no hue is seen. */
const greyish = 24

/** In degrees, 0 to 360 (https://www.w3.org/TR/css-color-4/#rgb-to-hsl). */
function hue([red, green, blue]: Color['rgb'], most: number, spread: number): number {
  const turned = (at: number, difference: number): number => (60 * (at + difference / spread) + 360) % 360
  if (most === red) return turned(0, green - blue)
  return most === green ? turned(2, blue - red) : turned(4, red - green)
}

export function words(rgb: Color['rgb']): string {
  const most = Math.max(...rgb)
  const least = Math.min(...rgb)
  const shade = shades[Math.floor(((most + least) / 511) * shades.length)]
  const spread = most - least
  return `${shade} ${spread <= greyish ? 'Grey' : hues[Math.round(hue(rgb, most, spread) / 30) % hues.length]}`
}
