/** Rules for the names and passwords of accounts (RFC 7617, section 2). */

/** More combining marks on one character than any script needs (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). */
const tooManyMarks = /\p{M}{31}/u

/** The text in Unicode normalization form C. Long runs of marks stay as they are, because ordering them takes quadratic time. */
export const normalizeText = (text: string): string => (tooManyMarks.test(text) ? text : text.normalize('NFC'))

/** What is wrong with a name, as a sentence, or `undefined`. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'The name is empty.'
  if (name.length > 255) return 'The name is longer than 255 characters.'
  if (name.includes(':')) return 'The name holds a colon, at which HTTP Basic authentication would cut it.'
  if (/\p{Cc}/u.test(name)) return 'The name holds a control character, which HTTP cannot send.'
  return undefined
}

/** What is wrong with a new password, as a sentence, or `undefined`. */
export function passwordProblem(password: string): string | undefined {
  if (password === '') return 'The password is empty.'
  if (password.length > 1000) return 'The password is longer than 1000 characters.'
  if (/\p{Cc}/u.test(password)) return 'The password holds a control character, which HTTP cannot send.'
  return undefined
}
