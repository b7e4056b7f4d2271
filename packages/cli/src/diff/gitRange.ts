/** `main..HEAD`: the files of two commits, in temporary folders that are gone afterwards. Nothing in the repository changes. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, posix, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as messages from '../cliMessages.ts'
import { CliError } from '../context.ts'

/** Two commits. */
export interface GitRange {
  readonly old: string
  readonly now: string
  /** Whether the old commit is the one where both begin to differ: `main...HEAD`. */
  readonly isFromMergeBase: boolean
}

/** A range has one `..` or `...` between two names of git. No name begins with a dot or a slash, as the rest of a path does. */
const rangePattern = /^(?<old>[^\s.-](?:[^\s.]|\.(?!\.))*?)(?<dots>\.\.\.?)(?<now>(?![./\\-])(?:[^\s.]|\.(?!\.))*)$/

/** Parses `main..HEAD` and `main...HEAD`; undefined for anything else, such as a path. Without the second name, it is HEAD. */
export function parseGitRange(text: string): GitRange | undefined {
  const { old, dots, now } = rangePattern.exec(text)?.groups ?? {}
  if (old === undefined || old.endsWith('/')) return undefined
  return { old, now: now || 'HEAD', isFromMergeBase: dots === '...' }
}

const runFile = promisify(execFile)
/** The longest output of git: the names of all files. */
const maxOutput = 256 * 1024 * 1024

interface GitOptions {
  readonly cwd: string
  readonly input?: string
  readonly indexFile?: string
  /** Whether paths are names of files, and no patterns such as `:(top)*`. */
  readonly isLiteral?: boolean
}

/** Runs git. @throws Error with what git wrote */
async function runGit(words: readonly string[], { cwd, input, indexFile, isLiteral }: GitOptions): Promise<string> {
  const env = {
    ...process.env,
    ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    ...(isLiteral && { GIT_LITERAL_PATHSPECS: '1' }),
  }
  const running = runFile('git', [...words], { cwd, env, maxBuffer: maxOutput, windowsHide: true })
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(input ?? '')
  return (await running).stdout
}

/** Finds a commit. @throws CliError if there is none of this name */
async function findCommit(name: string, cwd: string): Promise<string> {
  try {
    return (await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], { cwd })).trim()
  } catch (error) {
    throw new CliError(2, messages.unknownCommit(name), { cause: error })
  }
}

async function findMergeBase(old: string, now: string, { old: oldName, now: newName }: GitRange, cwd: string): Promise<string> {
  try {
    return (await runGit(['merge-base', old, now], { cwd })).trim()
  } catch (error) {
    throw new CliError(2, messages.missingMergeBase(oldName, newName), { cause: error })
  }
}

interface Repository {
  readonly root: string
  /** The current folder within it: empty, or with a slash at its end. */
  readonly prefix: string
}

/** Finds the repository of a folder. @throws CliError if it is in none, or there is no git */
async function findRepository(cwd: string, range: string): Promise<Repository> {
  try {
    const [root = '', prefix = ''] = (await runGit(['rev-parse', '--show-toplevel', '--show-prefix'], { cwd })).split('\n')
    return { root, prefix }
  } catch (error) {
    const isMissing = Object(error).code === 'ENOENT'
    throw new CliError(2, isMissing ? messages.gitNotFound(range) : messages.notInRepository(range), { cause: error })
  }
}

/** Where the description of an API usually is. */
const usualPaths: readonly string[] = [
  ...['src/api', 'api'].flatMap((path) => ['.ts', '.mts', '.js', '.mjs'].map((extension) => path + extension)),
  ...['', 'docs/', 'api/', 'spec/'].flatMap((folder) => ['openapi.yaml', 'openapi.yml', 'openapi.json'].map((name) => folder + name)),
  ...['swagger.yaml', 'swagger.yml', 'swagger.json'],
]

/** The files at these paths of a commit. */
async function listFiles(commit: string, paths: readonly string[], { root }: Repository): Promise<readonly string[]> {
  const output = await runGit(['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', ...paths], { cwd: root, isLiteral: true })
  return output.split('\0').filter((name) => name !== '')
}

/** The paths that the description may have, from the root of the repository. */
function listCandidates(given: string | undefined, { root, prefix }: Repository): readonly string[] {
  const toPath = (name: string): string =>
    isAbsolute(name) ? relative(root, name).split('\\').join('/') : posix.normalize(prefix + name.split('\\').join('/'))
  return (given === undefined ? usualPaths : [given]).map(toPath)
}

/** Finds the file of the description, from the root of the repository. @throws CliError if it is not clear which one it is */
async function findDescriptionPath(commit: string, newName: string, given: string | undefined, repository: Repository): Promise<string> {
  const candidates = listCandidates(given, repository)
  if (candidates.some((path) => path.startsWith('..'))) throw new CliError(2, messages.outsideOfRepository(given ?? ''))
  const [found, ...others] = await listFiles(commit, candidates, repository)
  if (found === undefined) throw new CliError(2, messages.missingInCommit(newName, given, usualPaths))
  if (others.length > 0) throw new CliError(2, messages.severalDescriptions(newName, [found, ...others]))
  return found
}

/**
 * Finds the file at the old commit: the one of the same path, else the one that git takes for it under another name, else the one at a
 * usual path if none is given. Undefined: it is new.
 */
async function findOldPath(
  commits: Readonly<Record<'old' | 'now', string>>,
  path: string,
  { old: oldName }: GitRange,
  given: string | undefined,
  repository: Repository,
): Promise<string | undefined> {
  if ((await listFiles(commits.old, [path], repository)).length > 0) return path
  const renamed = ['diff-tree', '-r', '-z', '--name-status', '--find-renames', '--diff-filter=R', commits.old, commits.now]
  const fields = (await runGit(renamed, { cwd: repository.root })).split('\0')
  // Of each file there are three: R093, the old name, and the new one.
  const place = fields.findIndex((name, index) => index % 3 === 2 && name === path)
  if (place >= 0) return fields[place - 1]
  const isUsual = given === undefined && (await listFiles(commits.old, listCandidates(undefined, repository), repository)).length > 0
  return isUsual ? findDescriptionPath(commits.old, oldName, undefined, repository) : undefined
}

/** The files that a document can refer to. */
const documentFiles = ['*.yaml', '*.yml', '*.json']
const isDocumentPath = (path: string): boolean => /\.(?:ya?ml|json)$/i.test(path)

/** The packages that are installed now, for the modules of a commit: those of each folder with a package.json, and above the repository. */
async function linkPackages(folder: string, files: readonly string[], { root }: Repository): Promise<void> {
  const folders = new Set(['.', ...files.filter((file) => posix.basename(file) === 'package.json').map((file) => posix.dirname(file))])
  for (const one of folders) {
    const [installed, place] = [join(root, one, 'node_modules'), join(folder, one, 'node_modules')]
    const above = one === '.' && !existsSync(installed) ? findPackagesAbove(dirname(root)) : undefined
    if (!existsSync(above ?? installed) || existsSync(place)) continue
    await mkdir(dirname(place), { recursive: true })
    await symlink(above ?? installed, place, 'junction')
  }
}

function findPackagesAbove(folder: string): string | undefined {
  const packages = join(folder, 'node_modules')
  if (existsSync(packages)) return packages
  return dirname(folder) === folder ? undefined : findPackagesAbove(dirname(folder))
}

/** Writes the files of a commit to a folder: for a document those that it can refer to, for a module all. */
async function checkOut(commit: string, path: string, folder: string, repository: Repository): Promise<void> {
  const { root } = repository
  const options = { cwd: root, indexFile: join(folder, 'index') }
  await runGit(['read-tree', commit], options)
  const files = await runGit(['ls-files', '-z', ...(isDocumentPath(path) ? ['--', `:(literal)${path}`, ...documentFiles] : [])], options)
  const tree = join(folder, 'tree')
  await mkdir(tree)
  await runGit(['checkout-index', '-z', '--stdin', `--prefix=${tree.split('\\').join('/')}/`], { ...options, input: files })
  if (!isDocumentPath(path)) await linkPackages(tree, files.split('\0'), repository)
}

/** Whether a file of a commit is a symbolic link to one outside. Without a file there is no link. */
async function leadsOut(file: string, tree: string): Promise<boolean> {
  const way = relative(await realpath(tree), await realpath(file).catch(() => realpath(tree)))
  return way.startsWith('..') || isAbsolute(way)
}

/** The description at one commit. */
export interface CommittedDescription {
  /** As it was written: `main`. */
  readonly commit: string
  /** The folder that stands for the current one. */
  readonly cwd: string
  /** The folder that stands for the root of the repository. */
  readonly root: string
  /** The file of the description, relative to that folder. */
  readonly name: string
  /** The file, relative to the root of the repository. */
  readonly path: string
}

/**
 * Runs work on the description at two commits. The old one is undefined where the commit does not have the file yet.
 *
 * @param given the file, relative to the current folder; undefined: the one at a usual path
 * @throws CliError where a commit or the file is missing
 */
export async function withCommits<Result>(
  text: string,
  range: GitRange,
  given: string | undefined,
  cwd: string,
  work: (old: CommittedDescription | undefined, now: CommittedDescription) => Promise<Result>,
): Promise<Result> {
  const repository = await findRepository(cwd, text)
  const { root, prefix } = repository
  const [tip, now] = [await findCommit(range.old, root), await findCommit(range.now, root)]
  const old = range.isFromMergeBase ? await findMergeBase(tip, now, range, root) : tip
  const path = await findDescriptionPath(now, range.now, given, repository)
  const oldPath = await findOldPath({ old, now }, path, range, given, repository)
  const folders: string[] = []
  const prepare = async (commit: string, name: string, path: string): Promise<CommittedDescription> => {
    const folder = await mkdtemp(join(tmpdir(), 'lapidary-commit-'))
    folders.push(folder)
    await checkOut(commit, path, folder, repository)
    const tree = join(folder, 'tree')
    const [place, file] = [join(tree, prefix), resolve(tree, path)]
    // A commit of a stranger shows no file of this machine.
    if (isDocumentPath(path) && (await leadsOut(file, tree))) throw new CliError(2, messages.outsideOfRepository(path))
    await mkdir(place, { recursive: true })
    return { commit: name, cwd: place, root: tree, name: relative(place, file), path }
  }
  try {
    return await work(oldPath === undefined ? undefined : await prepare(old, range.old, oldPath), await prepare(now, range.now, path))
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  }
}
