/** The table of docs/false-alarms.md: it is written with UPDATE_GUIDES=1. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, root } from '../places.mjs'

const page = join(root, 'docs/false-alarms.md')
const [begin, end] = ['<!-- begin alarms -->', '<!-- end alarms -->']

/** @param {readonly { name: string, runs: number, requests: number, trueOnes: number, falseOnes: number }[]} rows */
export function writePage(rows) {
  if (process.env.UPDATE_GUIDES === undefined) return
  const text = readFileSync(page, 'utf8')
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
  const all = [...rows, { name: '**all**', requests: sum('requests'), trueOnes: sum('trueOnes'), falseOnes: sum('falseOnes') }]
  const runs = Math.max(...rows.map((row) => row.runs))
  const command = `REQUESTS=${process.env.REQUESTS ?? ''} UPDATE_GUIDES=1 npm run conformance -- --only alarms`
  const { version } = readManifest(join(root, 'packages/cli'))
  const missing = Number(process.env.REQUESTS) - sum('requests')
  const soFar = missing > 0 ? `The measurement is not complete: ${missing.toLocaleString('en')} requests are missing. ` : ''
  const measured = `${soFar}Lapidary ${version} on Node.js ${process.versions.node}, the seeds 1 to ${runs}, by \`${command}\`:`
  const lines = all.map(
    ({ name, requests, trueOnes, falseOnes }) => `| ${name} | ${requests.toLocaleString('en')} | ${trueOnes} | ${falseOnes} |`,
  )
  const table = ['| server | requests | faults | false alarms |', '| --- | ---: | ---: | ---: |', ...lines].join('\n')
  writeFileSync(page, `${text.slice(0, text.indexOf(begin) + begin.length)}\n\n${measured}\n\n${table}\n\n${text.slice(text.indexOf(end))}`)
}
