/** One text for what looks the same: RFC 7617 section 2.1 asks for normalization form C. */

/** More marks on one sign than any script needs (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). */
const tooManyMarks = /\p{M}{31}/u

/** The text in that form. Marks without end stay as they came: to put them in order takes as long as their number squared. */
export const normal = (text: string): string => (tooManyMarks.test(text) ? text : text.normalize('NFC'))
