/** What an answer says of its media type. */

/**
 * Flat: name, value, name, value. The type is what it is called: without `nosniff` browsers would guess, and could be made to run as a script
 * what was meant as data.
 */
export const createContentTypeHeaders = (type: string): readonly string[] => ['Content-Type', type, 'X-Content-Type-Options', 'nosniff']
