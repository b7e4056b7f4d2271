/** Writes a text as a regular expression that matches it, with the characters that mean something else escaped. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
