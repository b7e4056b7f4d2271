/** Sums up what was measured, and prints it. */

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * @typedef {object} Sample       one server under one workload in one round
 * @property {string} server
 * @property {string} workload
 * @property {number} round
 * @property {number} cpu         microseconds of user and system time a request
 * @property {number} ratio       CPU time of the baseline divided by that of this server, in the same round: 1 is as fast, more is faster
 * @property {number} throughput  requests a second of wall-clock time
 * @property {number} p50         microseconds
 * @property {number} p99         microseconds
 * @property {number} rss         bytes, at the end of the round
 */

/** One line for each workload and server. @param {readonly Sample[]} samples */
export function summarize(samples) {
  const groups = groupSamples(samples)
  return [...groups.values()].map((group) => {
    const of = (/** @type {keyof Sample} */ field) => group.map((sample) => Number(sample[field]))
    const { workload, server } = group[0]
    const [cpu, ratio, throughput, p50, p99] = ['cpu', 'ratio', 'throughput', 'p50', 'p99'].map((field) => median(of(field)))
    const ratios = of('ratio')
    return {
      workload,
      server,
      cpu,
      ratio,
      low: Math.min(...ratios),
      high: Math.max(...ratios),
      throughput,
      p50,
      p99,
      rss: Math.max(...of('rss')),
    }
  })
}

/** @param {Sample} sample */
const getKey = (sample) => `${sample.workload} ${sample.server}`

/** @param {readonly Sample[]} samples */
function groupSamples(samples) {
  const groups = new Map()
  for (const sample of samples) groups.set(getKey(sample), [...(groups.get(getKey(sample)) ?? []), sample])
  return groups
}

/**
 * Columns as wide as their widest cell; words to the left, numbers to the right.
 * @param {readonly (readonly string[])[]} rows
 * @param {number} [words]  how many columns are words
 */
export function formatTable(rows, words = 2) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (/** @type {readonly string[]} */ row) =>
    row.map((cell, column) => (column < words ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ')
  return `${rows.map((row) => line(row).trimEnd()).join('\n')}\n`
}

/** @param {ReturnType<typeof summarize>} summary */
export const formatThroughput = (summary) =>
  formatTable([
    ['workload', 'server', 'CPU us', 'ratio', 'spread', 'requests/s', 'p50 us', 'p99 us', 'RSS MB'],
    ...summary.map(({ workload, server, cpu, ratio, low, high, throughput, p50, p99, rss }) => [
      ...[workload, server, cpu.toFixed(2), ratio.toFixed(3), `${low.toFixed(3)}-${high.toFixed(3)}`],
      ...[throughput.toFixed(0), p50.toFixed(0), p99.toFixed(0), (rss / 1_048_576).toFixed(0)],
    ]),
  ])
