/** The command for colours: `npm run colors -- load --count N`, `load --file FILE`, `count`. */

import { Command, InvalidArgumentError, Option } from 'commander'
import type { Color } from './api/colors.ts'
import { generateColor } from './colors/generate.ts'
import { loadColorFile, loadNamedColors, seedColors } from './colors/load.ts'
import { formatCount, formatNumber, handleInterruption, type Interruption } from './colors/progress.ts'
import { CommandError, configureProgram, printLine, runProgram, withStore } from './command.ts'
import { StoreUnavailable } from './store/errors.ts'
import type { Colors } from './store/store.ts'

/** The time limit of one batch, in milliseconds. It is long, because no client waits. */
const batchTimeout = 60_000
const maxColors = 100_000_000

function parseCount(text: string): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(count <= maxColors)) throw new InvalidArgumentError(`Expected a whole number from 0 to ${maxColors}.`)
  return count
}

/** The colour at each place: first those with real names, then generated ones. */
async function colorSequence(onlyGenerated: boolean): Promise<(place: number) => Color> {
  const named = onlyGenerated ? [] : await loadNamedColors()
  return (place) => named[place] ?? generateColor(place - named.length)
}

async function loadCount(colors: Colors, count: number, onlyGenerated: boolean, interruption: Interruption): Promise<void> {
  const start = performance.now()
  const { before, now } = await seedColors(colors, count, await colorSequence(onlyGenerated), interruption)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  printLine(
    before < count
      ? `Added ${formatCount(now - before)} in ${seconds} s; there are ${formatNumber(now)} now.`
      : `Nothing to add: there are ${formatCount(now)} already.`,
  )
}

async function loadFile(colors: Colors, file: string, interruption: Interruption): Promise<void> {
  const { added, total } = await loadColorFile(colors, file, interruption)
  const known = total - added
  printLine(`Added ${formatCount(added)}, ${formatNumber(known)} ${known === 1 ? 'was' : 'were'} there already.`)
}

const colorsProgram = configureProgram(
  new Command('npm run colors --').description(
    'Colours in the database of the service: many at once, for trials or from a file of your own.',
  ),
)

const withColors = (work: (colors: Colors) => Promise<void>): Promise<void> =>
  withStore(colorsProgram, { connections: 1, timeout: batchTimeout }, ({ colors }) => work(colors))

interface LoadOptions {
  readonly count?: number
  readonly file?: string
  readonly generated?: boolean
}

async function load({ count, file, generated = false }: LoadOptions, command: Command): Promise<void> {
  const interruption = handleInterruption()
  try {
    if (count !== undefined) await withColors((colors) => loadCount(colors, count, generated, interruption))
    else if (file !== undefined) await withColors((colors) => loadFile(colors, file, interruption))
    else command.error('error: what to load is missing: --count <n> or --file <file>')
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new CommandError(`${error.message} What was added stays; the same command goes on from there.`, { cause: error })
  } finally {
    interruption.end()
  }
}

colorsProgram
  .command('load')
  .description('adds colours whose names are not taken yet; interrupted, the same command goes on from there')
  .addOption(
    new Option('--count <n>', 'so many colours there are to be in the end: real names first, then generated ones').argParser(parseCount),
  )
  .addOption(
    new Option('--file <file>', 'an array of { "name", "rgb" } in JSON or, named .ndjson, one such object a line').conflicts('count'),
  )
  .addOption(new Option('--generated', 'with --count: generated names alone').conflicts('file'))
  .action(load)
colorsProgram
  .command('count')
  .description('prints how many there are')
  .action(() => withColors(async (colors) => printLine(String(await colors.count()))))

await runProgram(colorsProgram)
