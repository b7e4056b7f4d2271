/** Public repositories whose data judge the toolkit: fetched at one commit into a cache, so that nothing of them stands in this repository. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../command.mjs'
import { log } from '../log.mjs'
import { here } from '../places.mjs'

const cache = join(here, 'node_modules/.cache/suites')

/**
 * A repository on GitHub at one commit.
 *
 * @typedef {object} Source
 * @property {string} repository  its owner and its name: `nst/JSONTestSuite`
 * @property {string} commit  40 hexadecimal digits
 * @property {string} licence  as SPDX names it
 * @property {readonly string[]} paths  the files and folders that are used
 */

/** The URL of the files of a source, for people. @param {Source} source */
export const getSourceUrl = ({ repository, commit }) => `https://github.com/${repository}/tree/${commit}`

const git = (/** @type {string} */ cwd, /** @type {readonly string[]} */ words) =>
  // A question about credentials would wait forever.
  runCommand('git', words, { cwd, environment: { GIT_TERMINAL_PROMPT: '0' } })

/**
 * Returns the folder of a source. The first run fetches it.
 *
 * @param {Source} source
 * @throws Error in a sentence, where GitHub cannot be reached
 */
export async function fetchSource({ repository, commit, paths }) {
  const folder = join(cache, `${repository.replace('/', '+')}@${commit}`)
  if (existsSync(join(folder, '.complete'))) return folder
  log(`fetching ${repository} …`)
  const part = `${folder}.${process.pid}`
  mkdirSync(part, { recursive: true })
  try {
    await git(part, ['init', '--quiet'])
    await git(part, ['sparse-checkout', 'set', '--no-cone', ...paths.map((path) => `/${path}`)])
    // A fetch of the files that are used alone needs the remote that lacks the others.
    await git(part, ['remote', 'add', 'origin', `https://github.com/${repository}`])
    await git(part, ['fetch', '--quiet', '--depth=1', '--filter=blob:none', 'origin', commit])
    await git(part, ['checkout', '--quiet', commit])
    rmSync(join(part, '.git'), { recursive: true, maxRetries: 5 })
    writeFileSync(join(part, '.complete'), '')
    rmSync(folder, { recursive: true, force: true })
    renameSync(part, folder)
    return folder
  } catch (error) {
    throw new Error(`${repository} cannot be fetched from GitHub at commit ${commit}. This suite needs the network once. ${error.message}`)
  } finally {
    rmSync(part, { recursive: true, force: true, maxRetries: 5 })
  }
}
