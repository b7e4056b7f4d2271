/**
 * For comparison: the whole collection in memory, sorted for each page. As a process of its own, since it takes gigabytes; it is told
 * `{ rows, pages }`, and answers with what it has measured.
 */
import { colorRanges } from '../../service/dist/api/colors.js'
import { median } from '../report.mjs'
import { color, fields, valueIn } from './colors.mjs'
import { rangesOf } from './pages.mjs'

const compared = (one, other) => (one < other ? -1 : one > other ? 1 : 0)
const sum = ([red, green, blue]) => red + green + blue

/** By a field, then by name: each as plain as it can be. */
const inOrder = {
  name: (one, other) => compared(one.name, other.name),
  hex: (one, other) => compared(one.hex, other.hex) || compared(one.name, other.name),
  rgb: (one, other) => sum(one.rgb) - sum(other.rgb) || compared(one.name, other.name),
}

/** Ascending alone, which is what is measured. @param {readonly ReturnType<typeof color>[]} all */
const sorted = (all) => ({
  count: () => all.length,
  page: ({ field, after, offset, limit }) => {
    const copy = [...all].sort(inOrder[field])
    const start = copy.findIndex((one) => valueIn(one, field) > after.value)
    return start < 0 ? [] : copy.slice(start + offset, start + offset + limit)
  },
})

process.on('message', async ({ rows, pages }) => {
  const source = sorted(Array.from({ length: rows }, (_, row) => color(row)))
  const found = []
  // Beyond a million one page takes a minute or two: one field says enough.
  for (const field of rows > 1e6 ? fields.slice(0, 1) : fields) {
    const [warmUp, ...ranges] = await rangesOf({ rows }, { field, order: 'asc', place: 'middle' })
    const ask = (Range) => colorRanges.page({ headers: { Range }, query: { range: undefined } }, source)
    // A page that takes seconds needs none.
    if (pages > 1) await ask(warmUp)
    const times = []
    const before = process.cpuUsage()
    for (const range of ranges.slice(0, pages)) {
      const began = performance.now()
      await ask(range)
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
