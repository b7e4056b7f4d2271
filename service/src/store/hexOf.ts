/** A colour's components as they stand in its `hex`. */

import type { Color } from './store.ts'

/** `#rrggbb`, lower case. */
export const hexOf = ([red, green, blue]: Color['rgb']): string => `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`
