/** Changes for people to read, in colour where a terminal shows it. */
import { type Paint, paints, unpainted } from '../describe/paint.ts'
import { printableLine } from '../describe/printable.ts'
import type { Change, Verdict } from './change.ts'

const colours: Readonly<Record<Verdict | 'quiet' | 'strong', Paint>> = {
  breaking: paints.red,
  unknown: paints.yellow,
  safe: paints.green,
  quiet: paints.faint,
  strong: paints.bold,
}
const none: typeof colours = { breaking: unpainted, unknown: unpainted, safe: unpainted, quiet: unpainted, strong: unpainted }

/** As wide as the longest verdict, and a gap. */
const column = 'breaking'.length + 2

const signs: Readonly<Record<Change['change'], string>> = { added: '+', removed: '-', changed: '~', moved: '>', renamed: '=' }

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

function lines(
  { place, change, clients, servers, reason }: Change,
  isAllowed: boolean,
  { quiet, strong, ...verdicts }: typeof colours,
): readonly string[] {
  const cell = (verdict: Verdict): string => verdicts[verdict](verdict.padEnd(column))
  const what = place === '' ? change : printableLine(place)
  return [
    `  ${cell(clients)}${cell(servers)}${signs[change]} ${strong(what)}${isAllowed ? quiet('  (allowed)') : ''}`,
    `  ${' '.repeat(2 * column + 2)}${quiet(printableLine(reason))}`,
  ]
}

const sentences: readonly (readonly [verdict: Verdict, one: string, many: string])[] = [
  ['breaking', 'change breaks clients of the old description', 'changes break clients of the old description'],
  ['unknown', 'change may break them', 'changes may break them'],
  ['safe', 'change is safe for them', 'changes are safe for them'],
]

function sum(changes: readonly Change[]): string {
  const parts = sentences.flatMap(([verdict, one, many]) => {
    const count = changes.filter(({ clients }) => clients === verdict).length
    return count === 0 && verdict !== 'breaking' ? [] : [counted(count, one, many)]
  })
  return `${parts.join('; ')}.`
}

/** How changes are shown. */
export interface DiffTextOptions {
  /** With the codes that a terminal takes for colours: red breaks, yellow is unknown, green is safe. Default: without. */
  readonly colours?: boolean
  /** Those that are marked as meant. Default: none. */
  readonly allowed?: readonly Change[]
}

/** The changes, by endpoint: what becomes of clients and of servers, where, and why; and how many there are. */
export function diffText(changes: readonly Change[], options: DiffTextOptions = {}): string {
  const { colours: isColoured = false, allowed = [] } = options
  const how = isColoured ? colours : none
  if (changes.length === 0) return 'On the wire nothing is different.\n'
  const names = [...new Set(changes.map(({ endpoint }) => endpoint))]
  const groups = names.map((name) =>
    [
      how.strong(printableLine(name)),
      ...changes.filter(({ endpoint }) => endpoint === name).flatMap((one) => lines(one, allowed.includes(one), how)),
    ].join('\n'),
  )
  const head = how.quiet(`  ${'clients'.padEnd(column)}servers`)
  return `${[head, ...groups].join('\n')}\n\n${sum(changes)}\n`
}
