/** What may be the name of an account. */

import { normal } from './normal.ts'

/** The form in which names are kept and compared. */
export const accountName: (text: string) => string = normal

/** What is wrong with a name, as a sentence; nothing when it will do. Basic authentication ends a name at its colon (RFC 7617 section 2). */
export function nameComplaint(name: string): string | undefined {
  if (name === '') return 'The name is empty.'
  if (name.length > 255) return 'The name is longer than 255 characters.'
  if (name.includes(':')) return 'The name holds a colon, at which HTTP Basic authentication would cut it.'
  if (/\p{Cc}/u.test(name)) return 'The name holds a control character, which HTTP cannot send.'
  return undefined
}
