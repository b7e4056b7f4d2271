/** The rank-sum test of Mann and Whitney, for whether two samples differ. */

/** The error function, to seven digits (Abramowitz and Stegun, 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * x)
  return 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x)
}

/** The chance, from 0 to 1, that two samples of one thing differ as much as these do. For twenty or more of each; ties are taken for none. */
export function chanceOf(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, mine: true })), ...other.map((value) => ({ value, mine: false }))]
  all.sort((a, b) => a.value - b.value)
  const sum = all.reduce((total, { mine }, index) => (mine ? total + index + 1 : total), 0)
  const [n, m] = [one.length, other.length]
  const expected = (n * (n + m + 1)) / 2
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12)
  return 1 - erf(Math.abs(sum - expected) / deviation / Math.SQRT2)
}
