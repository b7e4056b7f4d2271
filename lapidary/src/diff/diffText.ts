/** Changes for people to read, in colour where a terminal shows it. */
import type { Change, Verdict } from './change.ts'

type Paint = (text: string) => string

const coloured =
  (code: number, end: number): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[${end}m`
const plain: Paint = (text) => text

const colours: Readonly<Record<Verdict | 'quiet' | 'strong', Paint>> = {
  breaking: coloured(31, 39),
  unknown: coloured(33, 39),
  safe: coloured(32, 39),
  quiet: coloured(2, 22),
  strong: coloured(1, 22),
}
const none: typeof colours = { breaking: plain, unknown: plain, safe: plain, quiet: plain, strong: plain }

/** As wide as the longest verdict, and a gap. */
const column = 'breaking'.length + 2

const signs: Readonly<Record<Change['change'], string>> = { added: '+', removed: '-', changed: '~', moved: '>', renamed: '=' }

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

function lines(
  { place, change, clients, servers, reason }: Change,
  isAllowed: boolean,
  { quiet, strong, ...paints }: typeof colours,
): readonly string[] {
  const cell = (verdict: Verdict): string => paints[verdict](verdict.padEnd(column))
  const what = place === '' ? change : place
  return [
    `  ${cell(clients)}${cell(servers)}${signs[change]} ${strong(what)}${isAllowed ? quiet('  (allowed)') : ''}`,
    `  ${' '.repeat(2 * column + 2)}${quiet(reason)}`,
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
  const paints = isColoured ? colours : none
  if (changes.length === 0) return 'On the wire nothing is different.\n'
  const names = [...new Set(changes.map(({ endpoint }) => endpoint))]
  const groups = names.map((name) =>
    [
      paints.strong(name),
      ...changes.filter(({ endpoint }) => endpoint === name).flatMap((one) => lines(one, allowed.includes(one), paints)),
    ].join('\n'),
  )
  const head = paints.quiet(`  ${'clients'.padEnd(column)}servers`)
  return `${[head, ...groups].join('\n')}\n\n${sum(changes)}\n`
}
