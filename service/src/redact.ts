/** Removes secrets from texts that go into logs and error messages. */

/** A database URL without its user, its password and its parameters. Other text stays as it is. */
export const redactUrl = (text: string): string => text.replace(/\/\/.*@/, '//…@').replace(/(\/\/[^?]*)\?.*$/, '$1')

/** A word without `=` may be a value as well. */
const redactParameter = (parameter: string): string => `${parameter.slice(0, parameter.indexOf('=') + 1)}*`

/** A request target without the values of its query: `/hello?name=Ann&x` becomes `/hello?name=*&*`. */
export const redactTarget = (target: string): string =>
  target.replace(/\?(.*)$/s, (_match, query: string) => `?${query.split('&').map(redactParameter).join('&')}`)
