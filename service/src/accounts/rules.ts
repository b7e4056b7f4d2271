/** Rules for the names and passwords of accounts (RFC 7617, section 2). */

/** More combining marks on one character than any script needs (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). */
const tooManyMarks = /\p{M}{31}/u

/** The text in Unicode normalization form C. Long runs of marks stay as they are, because ordering them takes quadratic time. */
export const normalizeText = (text: string): string => (tooManyMarks.test(text) ? text : text.normalize('NFC'))

function textProblem(what: 'name' | 'password', text: string, maxLength: number): string | undefined {
  if (text === '') return `The ${what} is empty.`
  if (text.length > maxLength) return `The ${what} is longer than ${maxLength} characters.`
  if (/\p{Cc}/u.test(text)) return `The ${what} holds a control character, which HTTP cannot send.`
  return undefined
}

/** What is wrong with a name, as a sentence, or `undefined`. */
export const nameProblem = (name: string): string | undefined =>
  name.includes(':') ? 'The name holds a colon, at which HTTP Basic authentication would cut it.' : textProblem('name', name, 255)

/** What is wrong with a new password, as a sentence, or `undefined`. */
export const passwordProblem = (password: string): string | undefined => textProblem('password', password, 1000)
