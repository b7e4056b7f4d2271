/** Another commit of this repository, built, in a temporary folder of its own. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { log } from './log.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (/** @type {readonly string[]} */ ...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

/** The folders of this tree's `bench/` that a server needs. */
const sharedFolders = ['servers', 'ranges']

/**
 * Whether both trees use this tree's file: the same data from the same database. Files that import the toolkit are the commit's own, since names of
 * the toolkit may have changed in between.
 * @param {string} path
 */
const isShared = (path) => statSync(path).isDirectory() || !/ from 'lapidary[/']/.test(readFileSync(path, 'utf8'))

/** Where the package `lapidary` stands: at the root in commits before it had packages beside it. @param {string} folder */
function findToolkit(folder) {
  const found = ['packages/lapidary', 'lapidary'].find((path) => existsSync(join(folder, path, 'package.json')))
  if (found === undefined) throw new Error('This commit has no package lapidary.')
  return found
}

/**
 * Links everything that is installed here, with the toolkit of that commit in place of ours.
 * @param {string} folder
 * @param {string} toolkit
 */
function linkPackages(folder, toolkit) {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!['lapidary', '@lapidary', '.cache'].includes(name)) symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  symlinkSync(join(folder, toolkit), join(modules, 'lapidary'), 'junction')
}

/**
 * Checks out a commit, builds its toolkit, and lays this tree's data beside its own servers.
 * @param {string} reference  a branch, a tag or a commit
 * @returns {{ commit: string, file: (name: string) => string, remove: () => void }} `file` finds a file of its `bench/`
 */
export function checkOutTree(reference) {
  const commit = git('rev-parse', '--verify', `${reference}^{commit}`)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lapidary-compare-')))
  const remove = () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    log(`building ${reference} (${commit.slice(0, 7)}) …`)
    git('worktree', 'add', '--quiet', '--detach', folder, commit)
    const toolkit = findToolkit(folder)
    linkPackages(folder, toolkit)
    execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--build', toolkit], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    })
    for (const name of sharedFolders)
      cpSync(join(root, 'bench', name), join(folder, 'bench', name), { recursive: true, force: true, filter: isShared })
  } catch (error) {
    remove()
    throw error
  }
  return { commit, file: (name) => join(folder, 'bench', name), remove }
}
