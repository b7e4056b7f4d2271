/** What came of witnesses at a running server, as text for a terminal. */
import type { ReplayedChange, ReplayOutcome } from '@lapidary/testing'
import { escapeControls, escapeControlsInLine, noTerminalColor, type TerminalColor, terminalColors } from '@lapidary/testing/internal'

const outcomes: readonly ReplayOutcome[] = ['confirmed', 'refuted', 'unclear', 'not sent']
const outcomeWidth = Math.max(...outcomes.map(({ length }) => length)) + 2

const outcomeColors: Readonly<Record<ReplayOutcome, TerminalColor>> = {
  confirmed: terminalColors.red,
  refuted: terminalColors.green,
  unclear: terminalColors.yellow,
  'not sent': terminalColors.faint,
}

const indentText = (text: string): string => text.replace(/^(?=.)/gm, ' '.repeat(outcomeWidth))

/** Longer responses are cut. */
const maxShownLines = 12

function cutLines(text: string): string {
  const lines = text.trimEnd().split('\n')
  return lines.length <= maxShownLines ? lines.join('\n') : [...lines.slice(0, maxShownLines), '…'].join('\n')
}

/** Formats the outcome of each witness, with its request and its response, and how many there are of each. */
export function formatReplay(replayed: readonly ReplayedChange[], hasColors: boolean): string {
  const blocks = replayed.map(({ change, outcome, reason, curl, response }) => {
    const color = hasColors ? outcomeColors[outcome] : noTerminalColor
    const quiet = hasColors ? terminalColors.faint : noTerminalColor
    return [
      `${color(outcome.padEnd(outcomeWidth))}${escapeControlsInLine(`${change.endpoint} ${change.place}`.trim())}`,
      indentText(escapeControls(reason)),
      indentText(quiet(escapeControls(curl))),
      ...(response === null ? [] : [indentText(quiet(cutLines(escapeControls(response))))]),
    ].join('\n')
  })
  const counts = outcomes.map((outcome) => `${replayed.filter((one) => one.outcome === outcome).length} ${outcome}`)
  return `\n${[...blocks, `Of ${replayed.length} witnesses: ${counts.join(', ')}.`].join('\n\n')}\n`
}
