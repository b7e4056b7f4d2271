/**
 * A rehearsed release: the script of the release workflow publishes to a registry on this machine, and a project that knows only this registry is
 * created, installs the packages, uses them and upgrades them. The version before is made of the same sources, since a clone may have no earlier commit.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { listWorkspaceFolders } from '../../scripts/workspaces.mjs'
import { runCommand, runNode } from '../command.mjs'
import { packages as folders, readManifest, root, toolkit } from '../places.mjs'
import { startRegistry } from '../registry.mjs'
import { repositoryUrl } from '../stage.mjs'

const before = '0.0.1'
const { version } = readManifest(toolkit)
const names = folders.map((folder) => readManifest(folder).name)
const listVersions = (/** @type {string} */ one) => names.map((name) => `${name}@${one}`)

/** What npm's own configuration and `npm run` say does not reach the commands: these know one registry, and have a cache of their own. */
function createEnvironment(folder, url) {
  const settings = [`registry=${url}`, `cache=${join(folder, 'cache')}`, 'audit=false', 'fund=false', 'update-notifier=false', 'yes=true']
  writeFileSync(join(folder, 'npmrc'), [...settings, `${url.replace('http:', '')}:_authToken=nobody`, ''].join('\n'))
  const inherited = Object.keys(process.env).filter((name) => /^npm_/i.test(name) || name === 'CHANGESETS_OUTPUT')
  return {
    ...Object.fromEntries(inherited.map((name) => [name, undefined])),
    NPM_CONFIG_USERCONFIG: join(folder, 'npmrc'),
    NPM_CONFIG_GLOBALCONFIG: join(folder, 'none'),
    REPOSITORY_URL: repositoryUrl,
  }
}

/** This repository at the version before, without what a release does not read. */
function copyRepository(folder) {
  for (const name of ['package.json', 'tsconfig.base.json', 'scripts', ...listWorkspaceFolders().map((one) => `${one}/package.json`)])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const source of folders) {
    const copy = join(folder, 'packages', basename(source))
    const isRead = (/** @type {string} */ path) => !['dist', 'node_modules', 'test'].includes(path.slice(source.length + 1))
    cpSync(source, copy, { recursive: true, filter: isRead })
    const { dependencies, ...manifest } = readManifest(copy)
    for (const name of names) if (dependencies?.[name] !== undefined) dependencies[name] = before
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, version: before, dependencies }))
  }
}

/** Starts the project's server, sends it a request, and checks it by the command line. @param {readonly string[]} [options] of the check */
async function checkProject(cwd, run, options = []) {
  const words = ['--import', 'tsx', 'src/main.ts']
  const child = spawn(process.execPath, words, { cwd, env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { origin } = new URL(/http:\/\/\S+(?=\/stones)/.exec(line)?.[0] ?? '')
    assert.equal((await fetch(`${origin}/stones`)).status, 200)
    await run('npx', 'lapidary', 'check', 'src/api.ts', '--url', origin, '--write', '--fallback', ...options)
  } finally {
    process.off('exit', kill)
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
}

/** The tarballs that a lock file names. */
const listInstalled = (/** @type {string} */ cwd) => {
  const { packages } = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).filter(([path]) => path !== '')
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ createFolder, packages }) {
  const packed = await packages()
  const folder = createFolder('release')
  const registry = await startRegistry(createFolder('release/storage'), names)
  try {
    const environment = createEnvironment(folder, registry.url)
    const release = (/** @type {string} */ tree, .../** @type {string[]} */ words) =>
      runNode(join(tree, 'scripts/release.mjs'), words, { environment, withErrors: true })

    // The version before is published while a dry run of this one publishes nothing.
    const earlier = createFolder('release/earlier')
    copyRepository(earlier)
    const [dry] = await Promise.all([release(root, '--dry-run'), release(earlier)])
    for (const one of listVersions(version)) assert(dry.includes(`${one} would be published as latest: `), dry)
    assert.deepEqual(registry.accepted, listVersions(before), 'each is published once, after those that it depends on')

    const cwd = join(folder, 'project')
    const run = (/** @type {string} */ program, .../** @type {string[]} */ words) => runCommand(program, words, { cwd, environment })
    const start = performance.now()
    await runCommand('npm', ['create', 'lapidary@latest', 'project', '--', '--yes'], { cwd: folder, environment })
    await checkProject(cwd, run)
    const seconds = (performance.now() - start) / 1000
    await run('npx', 'lapidary', 'manifest', 'src/api.ts', '--out', 'before.json')

    // A release that fails in the middle goes on where it stopped, and publishes nothing twice.
    const [first, ...rest] = listVersions(version)
    const [, ...others] = names
    registry.accepted.length = 0
    registry.rejectPublishing((name) => others.includes(name))
    await assert.rejects(release(root), /no publishing today/)
    assert.deepEqual(registry.accepted, [first])
    registry.rejectPublishing(() => false)
    await release(root)
    assert.deepEqual(registry.accepted, [first, ...rest])

    // What was published was packed in another folder than the tarballs that the other checks judge, and has the same bytes.
    for (const { name, integrity } of packed) {
      const response = await fetch(`${registry.url}${name.replace('/', '%2f')}`)
      const { 'dist-tags': tags, versions } = await response.json()
      assert.deepEqual(tags, { latest: version })
      const { dist, homepage, repository } = versions[version]
      assert.equal(dist.integrity, integrity, `${name} has other bytes`)
      assert.equal(homepage, `${repositoryUrl}#readme`)
      assert.equal(repository.url, `git+${repositoryUrl}.git`)
    }

    const { dependencies, devDependencies } = readManifest(cwd)
    const used = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => names.includes(name))
    await run('npm', 'install', ...used.map((name) => `${name}@latest`))
    const installed = listInstalled(cwd)
    const own = installed.filter(([path]) => names.some((name) => path.endsWith(`node_modules/${name}`)))
    assert.deepEqual([...new Set(own.map(([, one]) => one.version))], [version], 'an earlier version is left')
    const foreign = installed.filter(([, { resolved }]) => !resolved.startsWith(registry.url))
    assert.deepEqual(foreign, [], 'these come from another registry')
    await checkProject(cwd, run, ['--only', 'stones.add'])
    await run('npx', 'lapidary', 'diff', 'before.json', 'src/api.ts')
    return `${names.length} packages published to a registry on this machine: dry run, a failure in the middle, nothing twice, byte for byte the packed ones; created, installed from an empty cache, started and checked in ${seconds.toFixed(1)} s; upgraded from ${before} to ${version}`
  } finally {
    await registry.close()
  }
}
