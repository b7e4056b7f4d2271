/** The tables of docs/finding-faults.md: they are written with UPDATE_GUIDES=1. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../places.mjs'
import { limit } from './programs.mjs'
import { bySequence } from './results.mjs'

const page = join(root, 'docs/finding-faults.md')

const formatTable = ([head, ...rows]) =>
  [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function findMedian(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}

/** The faults that one tool finds, and how long it takes for them. */
function formatCell(results, tool, planted) {
  const found = planted.filter(({ system, sentence }) => results.isFound(tool, system, sentence))
  if (found.length === 0) return '0'
  const seconds = findMedian(found.map(({ system, sentence }) => results.get([tool.name, system.name, sentence]).seconds))
  return `${found.length}, ${seconds.toFixed(0)} s`
}

/** What each tool reports about right servers. */
function formatAlarms(results, tool, systems) {
  const failures = systems.map(({ name }) => results.get([tool.name, name, '']))
  const wrong = failures.filter((result) => result.failures.length > 0)
  const sum = wrong.reduce((total, result) => total + result.failures.length, 0)
  return sum === 0 ? '0' : `${sum} at ${wrong.length}`
}

function replacePart(text, name, content) {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
  return `${text.slice(0, text.indexOf(begin) + begin.length)}\n\n${content}\n\n${text.slice(text.indexOf(end))}`
}

/** @param {{ systems: readonly import('./faults.mjs').FaultySystem[], tools: readonly import('./tools.mjs').Tool[], results: any }} measured */
export function writePage({ systems: everySystem, tools, results }) {
  if (process.env.UPDATE_GUIDES === undefined) return
  // An interrupted comparison shows what every tool has looked for.
  const isComplete = (system, sentence) => tools.every(({ name }) => results.get([name, system.name, sentence]) !== undefined)
  const systems = everySystem.filter((system) => isComplete(system, ''))
  const planted = systems.flatMap((system) =>
    system.faults.filter(({ sentence }) => isComplete(system, sentence)).map((fault) => ({ system, ...fault })),
  )
  const names = [...new Set(planted.map(({ group }) => group))]
  const row = (name, faults) => [`${name} (${faults.length})`, ...tools.map((tool) => formatCell(results, tool, faults))]
  const untested = (tool) => `${systems.filter(({ name }) => !results.get([tool.name, name, '']).isTested).length}`
  const table = formatTable([
    ['faults', ...tools.map(({ name }) => name)],
    ...names.map((name) =>
      row(
        name,
        planted.filter(({ group }) => group === name),
      ),
    ),
    row('**all**', planted),
    [`false alarms at ${systems.length} right servers`, ...tools.map((tool) => formatAlarms(results, tool, systems))],
    ['servers that it could not test', ...tools.map(untested)],
  ])
  const given = tools.map((tool) => `- ${tool.name}: ${tool.given}`).join('\n')
  const own = tools.at(-1)
  const isFoundByAny = (some, { system, sentence }) => some.some((tool) => results.isFound(tool, system, sentence))
  const missed = planted.filter((fault) => !isFoundByAny([own], fault))
  const describe = ({ system, sentence, ...rest }) => {
    const others = tools.filter((tool) => isFoundByAny([tool], { system, sentence, ...rest })).map(({ name }) => name)
    return `- ${system.name}: ${sentence}${others.length === 0 ? '' : ` (found by ${others.join(', ')})`}`
  }
  const all = everySystem.reduce((sum, { faults }) => sum + faults.length, 0)
  const part = planted.length === all ? `${all}` : `${planted.length} of ${all}`
  const single = planted.filter(({ system, sentence }) => results.isFound(own, system, sentence, (name) => !name.endsWith(bySequence)))
  const measured = [
    `${part} faults, on Node.js ${process.versions.node}, ${limit} seconds at most for each.`,
    `A cell has the faults that are found, and the median duration. Without \`--steps\`, the check finds ${single.length} of its faults.`,
  ].join(' ')
  const text = replacePart(readFileSync(page, 'utf8'), 'faults', `${measured}\n\n${table}`)
  const withGiven = replacePart(text, 'given', given)
  writeFileSync(page, replacePart(withGiven, 'missed', missed.length === 0 ? 'None.' : missed.map(describe).join('\n')))
}
