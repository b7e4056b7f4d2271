/** Another commit of this repository, built, in a temporary folder of its own. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from './say.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (/** @type {readonly string[]} */ ...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

/** What of this tree's `bench/` a server needs: it is the same program for both, only the toolkit below it is another. */
const needed = ['servers', 'ranges']

/**
 * Everything that is installed here, and the toolkit of that commit in place of ours.
 * @param {string} folder
 */
function link(folder) {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'lapidary' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  symlinkSync(join(folder, 'lapidary'), join(modules, 'lapidary'), 'junction')
}

/**
 * Checks out a commit, builds its toolkit, and lays this tree's servers beside it.
 * @param {string} reference  a branch, a tag or a commit
 * @returns {{ commit: string, file: (name: string) => string, remove: () => void }}
 */
export function tree(reference) {
  const commit = git('rev-parse', '--verify', `${reference}^{commit}`)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lapidary-compare-')))
  const remove = () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    say(`building ${reference} (${commit.slice(0, 7)}) …`)
    git('worktree', 'add', '--quiet', '--detach', folder, commit)
    link(folder)
    execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--build', 'lapidary'], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    })
    for (const name of needed) cpSync(join(root, 'bench', name), join(folder, 'bench', name), { recursive: true, force: true })
  } catch (failure) {
    remove()
    throw failure
  }
  return { commit, file: (name) => join(folder, 'bench', name), remove }
}
