/** Public repositories whose data judge the toolkit: fetched at one commit into a cache, so that nothing of them stands in this repository. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
 * @property {boolean} [isLarge]  whether the paths, which are files, are fetched one by one: git would list the whole repository
 */

/** The URL of the files of a source, for people. @param {Source} source */
export const getSourceUrl = ({ repository, commit }) => `https://github.com/${repository}/tree/${commit}`

const git = (/** @type {string} */ cwd, /** @type {readonly string[]} */ words) =>
  // A question about credentials would wait forever.
  runCommand('git', words, { cwd, environment: { GIT_TERMINAL_PROMPT: '0' } })

/** Fetches the paths by git. @param {string} folder @param {Source} source */
async function fetchByGit(folder, { repository, commit, paths }) {
  await git(folder, ['init', '--quiet'])
  await git(folder, ['sparse-checkout', 'set', '--no-cone', ...paths.map((path) => `/${path}`)])
  // A fetch of the files that are used alone needs the remote that lacks the others.
  await git(folder, ['remote', 'add', 'origin', `https://github.com/${repository}`])
  await git(folder, ['fetch', '--quiet', '--depth=1', '--filter=blob:none', 'origin', commit])
  await git(folder, ['checkout', '--quiet', commit])
  rmSync(join(folder, '.git'), { recursive: true, maxRetries: 5 })
}

/** Fetches the paths one by one. @param {string} folder @param {Source} source */
async function fetchFiles(folder, { repository, commit, paths }) {
  for (const path of paths) {
    const url = `https://raw.githubusercontent.com/${repository}/${commit}/${path}`
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url} has status ${response.status}`)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(await response.arrayBuffer()))
  }
}

/**
 * Returns the folder of a source. The first run fetches it.
 *
 * @param {Source} source
 * @throws Error in a sentence, where GitHub cannot be reached
 */
export async function fetchSource(source) {
  const { repository, commit, isLarge = false } = source
  const folder = join(cache, `${repository.replace('/', '+')}@${commit}`)
  if (existsSync(join(folder, '.complete'))) return folder
  log(`fetching ${repository} …`)
  const part = `${folder}.${process.pid}`
  mkdirSync(part, { recursive: true })
  try {
    await (isLarge ? fetchFiles : fetchByGit)(part, source)
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
