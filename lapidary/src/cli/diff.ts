/** `lapidary diff old.json ./src/api.ts`: what became of an API, and which programs break by it. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import type { Command } from 'commander'
import { printable } from '../describe/printable.ts'
import * as usage from '../describe/usage.ts'
import type { Change } from '../diff/change.ts'
import { checkedManifest } from '../diff/checkedManifest.ts'
import { diff as changesOf } from '../diff/diff.ts'
import { diffText } from '../diff/diffText.ts'
import { type ApiManifest, manifest } from '../diff/manifest.ts'
import { collected } from './command.ts'
import { exportedApi } from './exportedApi.ts'
import { complained, Mistake, reasonOf } from './mistake.ts'
import { imported } from './module.ts'
import { put } from './result.ts'
import { type Surroundings, showsColours, written } from './surroundings.ts'

interface Options {
  readonly export?: string
  readonly json?: true
  readonly strict?: true
  readonly allow?: readonly string[]
}

/** Of a manifest, in MB. */
const largest = 32

async function keptManifest(file: string, folder: string): Promise<ApiManifest> {
  const path = resolve(folder, file)
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > largest * 1_000_000) throw new Mistake(2, usage.tooLarge(file, largest))
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Mistake(2, usage.notRead(file, reasonOf(error)), { cause: error })
  })
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch (error) {
    throw new Mistake(2, usage.noManifest(file), { cause: error })
  }
  if (Object(found).manifest !== 1) throw new Mistake(2, usage.noManifest(file))
  return complained(2, () => checkedManifest(found))
}

/** The manifest that a word names: a file of one, or a module whose API it is made of. */
async function manifestOf(name: string, { export: exported }: Options, folder: string): Promise<ApiManifest> {
  if (name.endsWith('.json')) return keptManifest(name, folder)
  const api = exportedApi(await imported(name, folder), exported)
  return complained(1, () => manifest(api))
}

/** For how long it is compared at most, in milliseconds: a pattern may take for ever to hold against a text. */
const longest = 60_000

/** The result of work that is done in one go, which is ended when it takes too long. @throws Mistake */
function inTime<Result>(work: () => Result): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: longest }) as Result
  } catch (error) {
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new Mistake(1, usage.tooLong(longest / 1_000), { cause: error })
  }
}

/** Whether `--allow` means a change: by the endpoint, a group of endpoints, or the endpoint and the place. */
const isMeant = ({ endpoint, place }: Change, word: string): boolean =>
  endpoint.startsWith(`${word}.`) || `${endpoint} ${place} `.startsWith(`${word} `)

/** Adds the command. */
export function diff(program: Command, surroundings: Surroundings): void {
  const { errors, folder } = surroundings
  program
    .command('diff')
    .description('Says what became of an API, and which clients and servers break by it.')
    .argument('<old>', 'a manifest (.json), or the module that exports the api')
    .argument('<new>', 'likewise')
    .option('--export <name>', 'which export of a module is the api (default: "api", the default export, or the only one)')
    .option('--allow <change>', 'an endpoint, or "endpoint place", whose changes are meant; may be repeated', collected)
    .option('--strict', 'what may break clients counts as what does')
    .option('--json', 'as JSON, for programs')
    .addHelpText('after', `\n${usage.diffHelp()}`)
    .action(async (old: string, now: string, options: Options) => {
      const [before, after] = [await manifestOf(old, options, folder), await manifestOf(now, options, folder)]
      const changes = await complained(2, () => inTime(() => changesOf(before, after)))
      const words = options.allow ?? []
      const allowed = changes.filter((change) => words.some((word) => isMeant(change, word)))
      const text = options.json
        ? `${JSON.stringify(changes, null, 2)}\n`
        : diffText(changes, { colours: showsColours(surroundings), allowed })
      await put(options.json ? printable(text) : text, undefined, surroundings, { isPainted: true })
      for (const word of words.filter((one) => !changes.some((change) => isMeant(change, one))))
        await written(errors, `${usage.allowsNothing(word)}\n`)
      const counts = ({ clients }: Change): boolean => clients === 'breaking' || (options.strict === true && clients === 'unknown')
      const breaking = changes.filter((change) => counts(change) && !allowed.includes(change))
      if (breaking.length > 0) throw new Mistake(1, usage.breaks(breaking.length, options.strict === true))
    })
}
