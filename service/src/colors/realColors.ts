/** The colours that have a name of their own, from the package `color-name-list`. */

import { hexOf } from '../store/hexOf.ts'
import type { Color } from '../store/store.ts'
import { Refused } from './refused.ts'

function rgbOf(hex: string): Color['rgb'] {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

/** Tens of thousands, always in the same order. The package is large, and is there for development only. Throws `Refused` without it. */
export async function realColors(): Promise<readonly Color[]> {
  try {
    const { colornames } = await import('color-name-list')
    return colornames.map(({ name, hex }) => {
      const rgb = rgbOf(hex)
      return { name, rgb, hex: hexOf(rgb) }
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new Refused(
      'The real names come from the package color-name-list, which is not installed here: it is there for development. Add --generated to load generated names alone.',
      { cause: error },
    )
  }
}
