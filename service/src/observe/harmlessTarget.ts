/** A target as it may be logged: paths say what was asked for, and the values of a query may be anybody's secret. */

/** `/hello?name=Ann&x` is `/hello?name=*&*`: a word that stands alone may be a value, too. */
export function harmlessTarget(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const names = target
    .slice(mark + 1)
    .split('&')
    .map((parameter) => `${parameter.slice(0, parameter.indexOf('=') + 1)}*`)
  return `${target.slice(0, mark)}?${names.join('&')}`
}
