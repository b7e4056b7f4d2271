/** A URL of a database as it may stand in a log or a complaint. */

/** Without its user, its password and its parameters, one of which may be a password, too. What is no URL stays as it is. */
export const harmlessUrl = (text: string): string => text.replace(/\/\/.*@/, '//…@').replace(/(\/\/[^?]*)\?.*$/, '$1')
