/** Formats changes for people to read, in color where a terminal shows it. */
import { escapeControlsInLine, noTerminalColor, type TerminalColor, terminalColors } from '../terminal.ts'
import type { Change, Compatibility } from './change.ts'

type DiffColors = Readonly<Record<Compatibility | 'quiet' | 'strong', TerminalColor>>

const getDiffColors = (hasColors: boolean): DiffColors =>
  hasColors
    ? {
        breaking: terminalColors.red,
        unknown: terminalColors.yellow,
        safe: terminalColors.green,
        quiet: terminalColors.faint,
        strong: terminalColors.bold,
      }
    : { breaking: noTerminalColor, unknown: noTerminalColor, safe: noTerminalColor, quiet: noTerminalColor, strong: noTerminalColor }

/** The width of the longest result, and a gap. */
const diffColumnWidth = 'breaking'.length + 2

const changeSigns: Readonly<Record<Change['change'], string>> = { added: '+', removed: '-', changed: '~', moved: '>', renamed: '=' }

const formatChangeCount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

function formatChange(
  { place, change, clients, servers, reason }: Change,
  isAllowed: boolean,
  { quiet, strong, ...verdictColors }: DiffColors,
): readonly string[] {
  const cell = (verdict: Compatibility): string => verdictColors[verdict](verdict.padEnd(diffColumnWidth))
  const what = place === '' ? change : escapeControlsInLine(place)
  return [
    `  ${cell(clients)}${cell(servers)}${changeSigns[change]} ${strong(what)}${isAllowed ? quiet('  (allowed)') : ''}`,
    `  ${' '.repeat(2 * diffColumnWidth + 2)}${quiet(escapeControlsInLine(reason))}`,
  ]
}

const summarySentences: readonly (readonly [verdict: Compatibility, one: string, many: string])[] = [
  ['breaking', 'change breaks clients of the old description', 'changes break clients of the old description'],
  ['unknown', 'change may break them', 'changes may break them'],
  ['safe', 'change is safe for them', 'changes are safe for them'],
]

function formatChangeSummary(changes: readonly Change[]): string {
  const parts = summarySentences.flatMap(([verdict, one, many]) => {
    const count = changes.filter(({ clients }) => clients === verdict).length
    return count === 0 && verdict !== 'breaking' ? [] : [formatChangeCount(count, one, many)]
  })
  return `${parts.join('; ')}.`
}

/** Options of `formatDiff`. */
export interface FormatDiffOptions {
  /** Whether the text contains color codes for a terminal: red for breaking, yellow for unknown, green for safe. @default false */
  readonly colors?: boolean
  /** Changes that are marked as allowed. @default none */
  readonly allowed?: readonly Change[]
}

/**
 * Formats changes by endpoint: what they do to clients and to servers, where, and why; and how many there are.
 *
 * @param changes the changes of `diff`
 * @returns the text, with a line feed at its end
 * @example
 * ```ts
 * import { type ApiManifest, diff, formatDiff } from '@lapidary/testing'
 *
 * declare const old: ApiManifest
 * declare const now: ApiManifest
 * process.stdout.write(formatDiff(diff(old, now), { colors: process.stdout.isTTY }))
 * ```
 */
export function formatDiff(changes: readonly Change[], options: FormatDiffOptions = {}): string {
  const { colors: hasColors = false, allowed = [] } = options
  const colors = getDiffColors(hasColors)
  if (changes.length === 0) return 'The two APIs are the same on the wire.\n'
  const names = [...new Set(changes.map(({ endpoint }) => endpoint))]
  const groups = names.map((name) =>
    [
      colors.strong(escapeControlsInLine(name)),
      ...changes.filter(({ endpoint }) => endpoint === name).flatMap((one) => formatChange(one, allowed.includes(one), colors)),
    ].join('\n'),
  )
  const head = colors.quiet(`  ${'clients'.padEnd(diffColumnWidth)}servers`)
  return `${[head, ...groups].join('\n')}\n\n${formatChangeSummary(changes)}\n`
}
