/** `diff main..HEAD`: two commits of a real repository, which is the same afterwards. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifest } from '@lapidary/testing'
import { endpoint, ok, oneOf, optional, text } from 'lapidary'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { parseGitRange } from '../../src/diff/gitRange.ts'
import { folder, lapidary } from '../support/runCli.ts'

test.each([
  ['main..HEAD', { old: 'main', now: 'HEAD', isFromMergeBase: false }],
  ['origin/main...feature/x', { old: 'origin/main', now: 'feature/x', isFromMergeBase: true }],
  ['v1.2.3..v1.3.0', { old: 'v1.2.3', now: 'v1.3.0', isFromMergeBase: false }],
  ['HEAD~2..', { old: 'HEAD~2', now: 'HEAD', isFromMergeBase: false }],
  ['main@{1}..HEAD', { old: 'main@{1}', now: 'HEAD', isFromMergeBase: false }],
  ['../old.json', undefined],
  ['../../old.json', undefined],
  ['specs/../old.json', undefined],
  ['./src/api.ts', undefined],
  ['src/api.ts', undefined],
  ['..', undefined],
  ['...', undefined],
  ['a....b', undefined],
  ['-a..b', undefined],
])('%s', (text, range) => {
  expect(parseGitRange(text)).toEqual(range)
})

const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

interface TestRepository {
  readonly path: string
  readonly git: (...words: readonly string[]) => string
  /** Writes files, and commits all. */
  readonly commit: (files: Readonly<Record<string, string>>) => void
}

function createRepository(): TestRepository {
  const path = folder()
  const settings = ['user.name=Ann', 'user.email=ann@example.org', 'commit.gpgsign=false'].flatMap((setting) => ['-c', setting])
  const git = (...words: readonly string[]): string => execFileSync('git', [...settings, ...words], { cwd: path, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  symlinkSync(packages, join(path, 'node_modules'), 'junction')
  return {
    path,
    git,
    commit: (files) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        writeFileSync(join(path, name), content)
      }
      git('add', '--all')
      git('commit', '--quiet', '--message', 'next')
    },
  }
}

const writeModule = (values: string): string => `import { endpoint, ok, optional, text } from 'lapidary'
import { sort } from './sort.js'

export const api = {
  words: endpoint('GET /words', { query: { sort: optional(sort) }, response: ok(text) }),
}
// ${values}
`
const writeSort = (values: string): string => `import { oneOf } from 'lapidary'\nexport const sort = oneOf(${values})\n`
const base = { 'package.json': '{"type":"module"}', '.gitignore': 'node_modules\n', 'src/api.js': writeModule('') }

const listTemporary = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('lapidary-commit-'))

/** A repository whose branch takes one value away, in a file that the module imports; main has gone on in the meantime. */
function createBranches(): TestRepository {
  const repository = createRepository()
  repository.commit({ ...base, 'src/sort.js': writeSort("'age', 'name'") })
  repository.git('switch', '--quiet', '--create', 'next')
  repository.commit({ 'src/sort.js': writeSort("'age'") })
  repository.git('switch', '--quiet', 'main')
  repository.commit({ 'src/sort.js': writeSort("'age', 'name', 'rank'") })
  repository.git('switch', '--quiet', 'next')
  return repository
}

const annotation = (value: string): string =>
  `::error file=src/api.js,line=5,title=GET /words%3A query sort changed::Old clients may send "${value}", and new servers expect one of age.%0A%0AGET /words?sort=${value}\n`

test('a module and what it imports, at both commits', async () => {
  const { path, git } = createBranches()
  writeFileSync(join(path, 'src/sort.js'), 'not committed')
  const before = [git('status', '--short'), git('worktree', 'list'), git('for-each-ref')]
  const failed = { code: 1, errors: 'One change breaks clients. If it is intended, use --allow.\n' }
  const around = { folder: path }
  expect(await lapidary(['diff', 'main..HEAD', '--format', 'github'], around)).toEqual({ ...failed, output: annotation('name') })
  // From where both begin to differ, and in a folder below.
  expect(await lapidary(['diff', 'main...next', 'api.js', '--format', 'github'], { folder: join(path, 'src') })).toEqual({
    ...failed,
    output: annotation('name'),
  })
  expect(await lapidary(['diff', 'next..next', './src/api.js'], around)).toMatchObject({ code: 0, output: /same on the wire/ })
  expect([git('status', '--short'), git('worktree', 'list'), git('for-each-ref')]).toEqual(before)
})

test('a manifest at both commits, where the first has none yet', async () => {
  const { path, commit } = createRepository()
  const search = (...values: readonly [string, ...string[]]): string =>
    JSON.stringify(manifest({ words: endpoint('GET /words', { query: { sort: optional(oneOf(...values)) }, response: ok(text) }) }))
  commit({ 'README.md': 'Words' })
  commit({ 'docs/api.json': search('age', 'name') })
  commit({ 'docs/api.json': search('age') })
  const first = await lapidary(['diff', 'HEAD~2..', 'docs/api.json', '--semver'], { folder: path })
  expect(first).toMatchObject({ code: 0, output: 'minor\n' })
  expect(first.errors).toMatch(/^HEAD~2 has no file docs\/api\.json yet: all that it describes is new\.\n/)
  expect((await lapidary(['diff', 'HEAD~1..', 'docs/api.json', '--semver'], { folder: path })).output).toBe('major\n')
})

test('a document and the files that it refers to, at both commits', async () => {
  const { path, commit } = createRepository()
  const write = (values: readonly string[]): Readonly<Record<string, string>> => ({
    'openapi.yaml': stringify({
      openapi: '3.1.0',
      info: { title: 'Words', version: '1' },
      paths: { '/words': { get: { parameters: [{ $ref: 'parts/sort.yaml' }], responses: { 204: { description: 'There are some.' } } } } },
    }),
    'parts/sort.yaml': stringify({ name: 'sort', in: 'query', schema: { enum: values } }),
    'large.bin': 'not needed',
  })
  commit(write(['age', 'name']))
  commit(write(['age']))
  const { code, output, errors } = await lapidary(['diff', 'HEAD~1..', '--format', 'github'], { folder: path })
  expect({ code, errors }).toEqual({ code: 1, errors: 'One change breaks clients. If it is intended, use --allow.\n' })
  expect(output).toContain('::error file=openapi.yaml,line=7,title=GET /words%3A query sort changed::')
})

test('a commit shows no file that it does not have', async () => {
  const { path, git, commit } = createRepository()
  const outside = folder()
  writeFileSync(
    join(outside, 'secret.json'),
    '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{},"get":{"operationId":"secret"}}',
  )
  symlinkSync(join(outside, 'secret.json'), join(path, 'link.json'))
  const refer = (reference: string): string => `{"openapi":"3.1.0","paths":{"/a":{"$ref":${JSON.stringify(reference)}}}}`
  commit({ 'a.json': refer(join(outside, 'secret.json')), 'b.json': refer('link.json'), 'c.json': refer('../../../../../../etc/hostname') })
  for (const name of ['a.json', 'b.json', 'c.json', 'link.json']) {
    const { code, output, errors } = await lapidary(['diff', 'HEAD..HEAD', name], { folder: path })
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toMatch(/is outside of the (?:root|repository)/)
  }
  expect(git('status', '--short')).toBe('')
})

test('nothing is left behind, even if a module cannot be loaded', async () => {
  const { path, commit } = createBranches()
  const before = listTemporary()
  commit({ 'src/api.js': 'throw new Error("broken")' })
  const { code, output, errors } = await lapidary(['diff', 'main..HEAD', 'src/api.js'], { folder: path })
  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors).toMatch(/^At HEAD: src\/api\.js cannot be loaded: broken \(src\/api\.js:1\)\n$/)
  expect(listTemporary().filter((name) => !before.includes(name))).toEqual([])
})

test.each([
  [['nope..HEAD'], 'git has no commit "nope" here. Fetch it first: git fetch origin nope, or fetch-depth: 0 for actions/checkout.'],
  [['main..HEAD', 'none.ts'], 'HEAD has no file none.ts.'],
  [['main..HEAD', ':(top)src/api.js'], 'HEAD has no file :(top)src/api.js.'],
  [['main..HEAD', ':/'], 'HEAD has no file :/.'],
  [['main..HEAD', '../none.ts'], '../none.ts is outside of the repository, so no commit has it.'],
  [['main..HEAD'], 'HEAD has several descriptions: openapi.yaml, src/api.js. Name one: lapidary diff main..HEAD openapi.yaml.'],
  [['orphan...HEAD', 'src/api.js'], 'orphan and HEAD have no commit in common here. Fetch the whole history first: '],
  [['src/api.js'], 'diff needs two versions: the second argument is missing. '],
])('%j is rejected', async (words, message) => {
  const { path, git, commit } = createBranches()
  git('switch', '--quiet', '--orphan', 'orphan')
  commit({ file: '' })
  git('switch', '--quiet', 'next')
  commit({ 'openapi.yaml': '' })
  const { code, output, errors } = await lapidary(['diff', ...words], { folder: path })
  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors).toContain(message)
})

test('outside of a repository, a range says so', async () => {
  const own = folder()
  rmSync(join(own, '.git'), { recursive: true, force: true })
  const { code, errors } = await lapidary(['diff', 'main..HEAD'], { folder: own })
  expect({ code, errors }).toEqual({
    code: 2,
    errors: 'There is no file at main..HEAD, and it is no range of commits either: this folder is in no repository of git.\n',
  })
})

const writeDocument = (isRequired: boolean, more: object = {}): string =>
  JSON.stringify(
    {
      openapi: '3.1.0',
      info: { title: 'Words', version: '1' },
      paths: {
        '/words': {
          get: {
            parameters: [{ name: 'sort', in: 'query', required: isRequired, schema: { type: 'string' } }],
            responses: { 204: { description: 'Some.' } },
          },
        },
      },
      ...more,
    },
    null,
    1,
  )

test.each<[sentence: string, old: string, now: string, given: readonly string[], more: object]>([
  ['a document that has moved to another usual path', 'openapi.json', 'docs/openapi.json', [], {}],
  ['one that has another name', 'openapi.json', 'words.json', ['words.json'], {}],
  [
    'one that is written anew at another usual path',
    'openapi.json',
    'api/openapi.json',
    [],
    { tags: Array.from({ length: 99 }, (_, at) => ({ name: `t${at}` })) },
  ],
])('%s is compared with the old one', async (_, old, now, given, more) => {
  const { path, git, commit } = createRepository()
  commit({ [old]: writeDocument(false) })
  git('rm', '--quiet', old)
  commit({ [now]: writeDocument(true, more) })
  const { code, output, errors } = await lapidary(['diff', 'HEAD~1..', ...given, '--format', 'github'], { folder: path })
  expect(code).toBe(1)
  expect(errors).toContain(`HEAD~1 has no file ${now}: ${old} is compared with it.\n`)
  expect(output).toContain(`::error file=${now},line=`)
  expect(output).toContain('query sort changed')
})

test('a document beside others that stay is new', async () => {
  const { path, commit } = createRepository()
  commit({ 'parts/other.json': writeDocument(false) })
  commit({ 'openapi.json': writeDocument(true) })
  expect(await lapidary(['diff', 'HEAD~1..', '--semver'], { folder: path })).toMatchObject({
    code: 0,
    output: 'minor\n',
    errors: expect.stringMatching(/^HEAD~1 has no file openapi\.json yet: all that it describes is new\.\n/),
  })
})
