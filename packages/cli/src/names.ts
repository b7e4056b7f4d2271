/** Names of parameters in the command line, where several spellings mean the same. */

/** Converts `userId`, `user_id` and `User-Id` to `user-id`. */
export const toKebabCase = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1-')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
