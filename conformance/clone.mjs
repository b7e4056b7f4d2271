/** Public data of others, cloned at one commit into a temporary folder: none of it is stored in this repository. */
import { existsSync } from 'node:fs'
import { runCommand } from './command.mjs'

/**
 * @typedef {object} PublicSource
 * @property {string} url
 * @property {string} commit
 * @property {string} variable  the environment variable that names a clone, for a machine that does not reach the URL
 */

/**
 * The folder of a clone at the commit of the source.
 *
 * @param {PublicSource} source
 * @param {(name: string) => string} createFolder
 */
export async function openSource({ url, commit, variable }, createFolder) {
  const given = process.env[variable]
  const folder = given ?? createFolder(variable.toLowerCase())
  const git = (/** @type {readonly string[]} */ ...words) => runCommand('git', ['-C', folder, ...words])
  if (given === undefined) {
    await git('init', '--quiet')
    await git('fetch', '--quiet', '--depth=1', url, commit)
    await git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', 'FETCH_HEAD')
  } else if (!existsSync(given)) throw new Error(`${variable}=${given}: no such folder. Expected a clone of ${url} at ${commit}`)
  const found = (await git('rev-parse', 'HEAD')).trim()
  if (found !== commit) throw new Error(`${variable}=${folder} is at ${found}. Expected ${commit}: git -C ${folder} checkout ${commit}`)
  return folder
}
