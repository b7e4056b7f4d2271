/**
 * For comparison: the whole collection in memory, sorted for each page. As a process of its own, since it takes gigabytes; it gets
 * the message `{ rows, pages }`, and sends its measurements.
 */
import { colorRanges } from '../../service/dist/api/colors.js'
import { median } from '../report.mjs'
import { color, fields, getFieldValue } from './colors.mjs'
import { listRanges } from './pages.mjs'

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0)
const addUp = ([red, green, blue]) => red + green + blue

/** By a field, then by name: each as plain as it can be. */
const comparators = {
  name: (one, other) => compare(one.name, other.name),
  hex: (one, other) => compare(one.hex, other.hex) || compare(one.name, other.name),
  rgb: (one, other) => addUp(one.rgb) - addUp(other.rgb) || compare(one.name, other.name),
}

/** Ascending alone, which is what is measured. @param {readonly ReturnType<typeof color>[]} all */
const createSortedSource = (all) => ({
  count: () => all.length,
  page: ({ field, after, offset, limit }) => {
    const copy = [...all].sort(comparators[field])
    const start = copy.findIndex((one) => getFieldValue(one, field) > after.value)
    return start < 0 ? [] : copy.slice(start + offset, start + offset + limit)
  },
})

process.on('message', async ({ rows, pages }) => {
  const source = createSortedSource(Array.from({ length: rows }, (_, row) => color(row)))
  const found = []
  // Beyond a million one page takes a minute or two: one field is enough.
  for (const field of rows > 1e6 ? fields.slice(0, 1) : fields) {
    const [warmUp, ...ranges] = await listRanges({ rows }, { field, order: 'asc', place: 'middle' })
    const requestPage = (Range) => colorRanges.page({ headers: { Range }, query: { range: undefined } }, source)
    // A page that takes seconds needs none.
    if (pages > 1) await requestPage(warmUp)
    const times = []
    const before = process.cpuUsage()
    for (const range of ranges.slice(0, pages)) {
      const began = performance.now()
      await requestPage(range)
      times.push(performance.now() - began)
    }
    const { user, system } = process.cpuUsage(before)
    found.push({
      ...{ database: 'memory', rows, field, order: 'asc', place: 'middle', milliseconds: median(times) },
      ...{ low: Math.min(...times), high: Math.max(...times), cpu: (user + system) / 1000 / times.length, pages: times.length },
    })
  }
  process.send?.(found)
  process.disconnect?.()
})
