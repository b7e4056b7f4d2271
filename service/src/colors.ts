/** The command line for colours: `load --count N`, `load --file FILE`, `count`. */

import { constants } from 'node:os'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { fillUp } from './colors/fillUp.ts'
import { generated } from './colors/generated.ts'
import { counted, grouped } from './colors/grouped.ts'
import { type Interruption, interruption } from './colors/interruption.ts'
import { loadFile } from './colors/loadFile.ts'
import { realColors } from './colors/realColors.ts'
import { Interrupted, Refused } from './colors/refused.ts'
import { BadSetting } from './settings.ts'
import { CannotOpen } from './store/cannotOpen.ts'
import type { Color, Colors } from './store/store.ts'
import { StoreUnavailable } from './store/storeUnavailable.ts'
import { withStore } from './withStore.ts'

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const complain = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

/** For how long the database may take for one batch, in milliseconds: nobody waits for an answer. */
const timeout = 60_000
const most = 100_000_000

function wanted(text: string): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(count <= most)) throw new InvalidArgumentError(`Expected a whole number from 0 to ${most}.`)
  return count
}

/** The colours to add, by place: those with names of their own first. */
async function source(onlyGenerated: boolean): Promise<(place: number) => Color> {
  const real = onlyGenerated ? [] : await realColors()
  return (place) => real[place] ?? generated(place - real.length)
}

async function loadCount(colors: Colors, count: number, onlyGenerated: boolean, interrupted: Interruption): Promise<void> {
  const begun = performance.now()
  const { before, now } = await fillUp(colors, count, await source(onlyGenerated), interrupted)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  say(
    before < count
      ? `Added ${counted(now - before)} in ${seconds} s; there are ${grouped(now)} now.`
      : `Nothing to add: there are ${counted(now)} already.`,
  )
}

async function loadFrom(colors: Colors, file: string, interrupted: Interruption): Promise<void> {
  const { added, all } = await loadFile(colors, file, interrupted)
  const known = all - added
  say(`Added ${counted(added)}, ${grouped(known)} ${known === 1 ? 'was' : 'were'} there already.`)
}

const program = new Command('npm run colors --')
  .description('Colours in the database of the service: many at once, for trials or from a file of your own.')
  .option('--database-url <url>', 'where the service keeps everything (default: DATABASE_URL, or sqlite:data/service.db)')
  .exitOverride()

const withColors = (work: (colors: Colors) => Promise<void>): Promise<void> =>
  withStore(program.opts<{ databaseUrl?: string }>().databaseUrl, { connections: 1, timeout }, ({ colors }) => work(colors))

interface LoadOptions {
  readonly count?: number
  readonly file?: string
  readonly generated?: boolean
}

async function load({ count, file, generated: onlyGenerated = false }: LoadOptions, command: Command): Promise<void> {
  const interrupted = interruption()
  try {
    if (count !== undefined) await withColors((colors) => loadCount(colors, count, onlyGenerated, interrupted))
    else if (file !== undefined) await withColors((colors) => loadFrom(colors, file, interrupted))
    else command.error('error: what to load is missing: --count <n> or --file <file>')
  } finally {
    interrupted.over()
  }
}

program
  .command('load')
  .description('adds colours whose names are not taken yet; interrupted, the same command goes on from there')
  .addOption(
    new Option('--count <n>', 'so many colours there are to be in the end: real names first, then generated ones').argParser(wanted),
  )
  .addOption(
    new Option('--file <file>', 'an array of { "name", "rgb" } in JSON or, named .ndjson, one such object a line').conflicts('count'),
  )
  .addOption(new Option('--generated', 'with --count: generated names alone').conflicts('file'))
  .action(load)
program
  .command('count')
  .description('prints how many there are')
  .action(() => withColors(async (colors) => say(String(await colors.count()))))

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode
  } else if (error instanceof Interrupted) {
    complain(error.message)
    // As shells say that a signal ended a program.
    process.exitCode = 128 + constants.signals[error.signal]
  } else if (error instanceof StoreUnavailable) {
    complain(`${error.message} What was added stays; the same command goes on from there.`)
    process.exitCode = 1
  } else if (error instanceof Refused || error instanceof BadSetting || error instanceof CannotOpen) {
    complain(error.message)
    process.exitCode = 1
  } else {
    throw error
  }
}
