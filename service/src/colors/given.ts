/** A colour as a file gives it, and what is wrong with one that is none. */

import { z } from 'zod'
import { Color as OnTheWire } from '../schemas.ts'
import { hexOf } from '../store/hexOf.ts'
import type { Color } from '../store/store.ts'

/** So that a name fits into an index of every database. */
const longest = 255

const isName = (text: string): boolean =>
  text !== '' && [...text.slice(0, 2 * longest + 1)].length <= longest && text.isWellFormed() && !/\p{Cc}/u.test(text)

const nameError = `expected a text of 1 to ${longest} characters without control characters`
const componentError = 'expected a whole number from 0 to 255'
const rgbError = 'expected the three components red, green and blue'
const component = z.int({ error: componentError }).min(0, componentError).max(255, componentError)

const Given = OnTheWire.extend({
  name: z.string({ error: nameError }).refine(isName, nameError),
  rgb: z.tuple([component, component, component], { error: rgbError }).readonly(),
  hex: z.string({ error: 'expected a text such as #ff7f50, or nothing' }).optional(),
})

/** As much of a value as fits into a line. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const within = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Readonly<Record<PropertyKey, unknown>>)[key], value) // zod names what is there, or missing in what is

/** The colour, or what is wrong with it: JSON pointer, what was expected, what came. */
export function given(value: unknown): Color | readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`expected an object, got ${shown(value)}`]
  const { data, error } = Given.safeParse(value)
  if (data === undefined)
    return error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}, got ${shown(within(value, path))}`)
  const { name, rgb } = data
  const hex = hexOf(rgb)
  const agrees = data.hex === undefined || data.hex.toLowerCase() === hex
  return agrees ? { name, rgb, hex } : [`/hex: expected ${hex}, as rgb says, got ${shown(data.hex)}`]
}
