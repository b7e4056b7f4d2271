/** Changes for people to read, in colour where a terminal shows it. */
import { escapeControlsInLine, noTerminalColor, terminalColors } from '../terminal.js'

const diffPaints = {
  breaking: terminalColors.red,
  unknown: terminalColors.yellow,
  safe: terminalColors.green,
  quiet: terminalColors.faint,
  strong: terminalColors.bold,
}
const noDiffPaints = {
  breaking: noTerminalColor,
  unknown: noTerminalColor,
  safe: noTerminalColor,
  quiet: noTerminalColor,
  strong: noTerminalColor,
}
/** As wide as the longest verdict, and a gap. */
const diffColumnWidth = 'breaking'.length + 2
const changeSigns = { added: '+', removed: '-', changed: '~', moved: '>', renamed: '=' }
const formatChangeCount = (count, one, many) => `${count} ${count === 1 ? one : many}`
function formatChange({ place, change, clients, servers, reason }, isAllowed, { quiet, strong, ...verdicts }) {
  const cell = (verdict) => verdicts[verdict](verdict.padEnd(diffColumnWidth))
  const what = place === '' ? change : escapeControlsInLine(place)
  return [
    `  ${cell(clients)}${cell(servers)}${changeSigns[change]} ${strong(what)}${isAllowed ? quiet('  (allowed)') : ''}`,
    `  ${' '.repeat(2 * diffColumnWidth + 2)}${quiet(escapeControlsInLine(reason))}`,
  ]
}
const summarySentences = [
  ['breaking', 'change breaks clients of the old description', 'changes break clients of the old description'],
  ['unknown', 'change may break them', 'changes may break them'],
  ['safe', 'change is safe for them', 'changes are safe for them'],
]
function formatChangeSummary(changes) {
  const parts = summarySentences.flatMap(([verdict, one, many]) => {
    const count = changes.filter(({ clients }) => clients === verdict).length
    return count === 0 && verdict !== 'breaking' ? [] : [formatChangeCount(count, one, many)]
  })
  return `${parts.join('; ')}.`
}
/** The changes, by endpoint: what becomes of clients and of servers, where, and why; and how many there are. */
export function formatDiff(changes, options = {}) {
  const { colours: isColoured = false, allowed = [] } = options
  const how = isColoured ? diffPaints : noDiffPaints
  if (changes.length === 0) return 'On the wire nothing is different.\n'
  const names = [...new Set(changes.map(({ endpoint }) => endpoint))]
  const groups = names.map((name) =>
    [
      how.strong(escapeControlsInLine(name)),
      ...changes.filter(({ endpoint }) => endpoint === name).flatMap((one) => formatChange(one, allowed.includes(one), how)),
    ].join('\n'),
  )
  const head = how.quiet(`  ${'clients'.padEnd(diffColumnWidth)}servers`)
  return `${[head, ...groups].join('\n')}\n\n${formatChangeSummary(changes)}\n`
}
