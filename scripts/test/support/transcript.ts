/** Transcripts: commands of the shell with what they print, in ```console blocks. */
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** A command with what it printed when the transcript was written. */
export interface Step {
  readonly command: string
  readonly output: string
}

/** From the dollar sign to the end of the line; a backslash there continues it. */
const stepForm = /^\$ (?<command>(?:.*\\\n)*.*)\n(?<output>(?:(?!\$ ).*\n)*)/gm

/** The steps of a block. */
export const steps = (block: string): readonly Step[] =>
  [...block.matchAll(stepForm)].map(({ groups = {} }) => ({ command: groups['command'] ?? '', output: groups['output'] ?? '' }))

/** Where a transcript is run. */
export interface Place {
  readonly folder: string
  /** Texts of the transcript, and what stands in their place when it is run: other ports. */
  readonly moved: readonly (readonly [usual: string, here: string])[]
}

/** All texts replaced at once, as whole numbers: where 3000 became 23001, that is not 2 and 3001. */
function replaceTexts(text: string, pairs: Place['moved']): string {
  if (pairs.length === 0) return text
  const escaped = pairs.map(([from]) => from.replace(/[.?*+^$()[\]{}|\\]/g, '\\$&'))
  const others = new Map(pairs)
  return text.replace(new RegExp(`(?<!\\d)(?:${escaped.join('|')})(?!\\d)`, 'g'), (found) => others.get(found) ?? found)
}

/** A text of the page as it stands where it is run. */
export const toPlace = (text: string, place: Place): string => replaceTexts(text, place.moved)

/** What came of it as it stands in the page. */
export const fromPlace = (text: string, place: Place): string =>
  replaceTexts(
    text,
    place.moved.map(([usual, here]) => [here, usual]),
  )

const run = promisify(execFile)

/** What a command prints today, as a transcript shows it. */
export async function runStep(command: string, place: Place): Promise<string> {
  const here = toPlace(command, place).replaceAll('curl ', 'curl -sS ')
  // Not spawnSync: the server may run in this very process.
  const { stdout, stderr } = await run('bash', ['-c', here], { cwd: place.folder })
  const whole = fromPlace(`${stdout}${stderr}`, place)
    .replaceAll('\r', '')
    .replace(/^Date: .*$/gm, 'Date: Sat, 21 Nov 2026 12:00:00 GMT')
    // Every response of the service has one, another each time; it would be all that differs between transcripts.
    .replace(/^X-Request-Id: .*\n/gm, '')
  return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`
}

/** A block with what its commands print today. */
export async function rerun(block: string, place: Place): Promise<string> {
  let now = ''
  // One after the other: a command may be about what the one before it did.
  for (const { command } of steps(block)) now += `$ ${command}\n${await runStep(command, place)}`
  return now
}

/** The output of a command as a quotation, which is how a page shows a comment. */
export const quoteOutput = async (command: string, place: Place): Promise<string> =>
  (await runStep(command, place)).replace(/^(.*)\n/gm, (_, line: string) => `${line === '' ? '>' : `> ${line}`}\n`)

/** Whether transcripts can be run on this machine. */
export const hasCurl: boolean = spawnSync('curl', ['--version']).status === 0
