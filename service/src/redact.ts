/** Removes secrets from texts that go into logs and error messages. */

/** A database URL without its user, its password and its parameters. Other text stays as it is. */
export const redactUrl = (text: string): string => text.replace(/\/\/.*@/, '//…@').replace(/(\/\/[^?]*)\?.*$/, '$1')

/**
 * A request target without the values of its query: `/hello?name=Ann&x` becomes `/hello?name=*&*`. A word without `=` may be a value as
 * well.
 */
export function redactTarget(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const parameters = target
    .slice(mark + 1)
    .split('&')
    .map((parameter) => `${parameter.slice(0, parameter.indexOf('=') + 1)}*`)
  return `${target.slice(0, mark)}?${parameters.join('&')}`
}
