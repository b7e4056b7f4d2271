/** The slope of a measurement over time (least squares). */

/** When, and how much. */
export type Point = readonly [when: number, much: number]

/** The least of each tenth of the time: what is there for a moment, such as a large body on its way, is no growth. */
export function floors(points: readonly Point[]): readonly Point[] {
  const length = Math.max(1, Math.ceil(points.length / 10))
  return Array.from({ length: Math.ceil(points.length / length) }, (_, tenth) =>
    points.slice(tenth * length, (tenth + 1) * length).reduce((least, point) => (point[1] < least[1] ? point : least)),
  )
}

/** By how much it grows in one unit of time; 0 for fewer than two moments. */
export function slope(points: readonly Point[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [when, much] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - when) ** 2, 0)
  return !(spread > 0) ? 0 : points.reduce((sum, [x, y]) => sum + (x - when) * (y - much), 0) / spread
}
