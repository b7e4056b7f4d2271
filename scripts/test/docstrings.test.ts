/** The examples of the docstrings compile, and every value that a user can import has one. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { listEntrySources, listPublishedFolders } from '../workspaces.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
// Below the repository, so that packages are found from there, and where git does not look.
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const scratch = mkdtempSync(join(cache, 'examples-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const sources = listPublishedFolders().flatMap((name) => {
  const folder = join(name, 'src')
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(root, folder, path), 'utf8') }))
})

const docstring = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g
const fence = /^ *\* ```ts\n((?: *\*[^\n]*\n)*?) *\* ```$/gm

/** The examples of all docstrings, each with the file that it stands in. */
const examples = sources.flatMap(({ path, text }) =>
  [...text.matchAll(docstring)].flatMap(([doc]) =>
    [...doc.matchAll(fence)].map(([, lines = '']) => ({ path, code: lines.replaceAll(/^ *\* ?/gm, '') })),
  ),
)

const options = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    noUnusedLocals: false,
    // A user has the compiled packages.
    paths: {},
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  },
  include: ['*.ts'],
}

test('every @example is code that is compiled: prose in its place would be skipped', () => {
  const uncompiled = sources.flatMap(({ path, text }) =>
    [...text.matchAll(docstring)]
      .map(([doc]) => ({ path, declared: doc.match(/@example/g)?.length ?? 0, compiled: doc.match(fence)?.length ?? 0, doc }))
      .filter(({ declared, compiled }) => declared !== compiled),
  )
  expect(uncompiled).toEqual([])
})

test('the examples of the docstrings compile', () => {
  expect(examples.length).toBeGreaterThan(70)
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(options))
  examples.forEach(({ path, code }, index) => {
    writeFileSync(join(scratch, `example${index}.ts`), `// ${path}\n${code}\nexport {}\n`)
  })
  const { stdout } = spawnSync(process.execPath, [tsc, '--project', '.', '--pretty', 'false'], { cwd: scratch, encoding: 'utf8' })
  expect(stdout.replaceAll(/^example(\d+)\.ts/gm, (_, index) => examples[Number(index)]?.path ?? '')).toBe('')
})

/** The values that an entry point exports, by their names, with the files that define them. */
function listValues(entry: string): readonly { readonly name: string; readonly file: string }[] {
  const folder = entry.slice(0, entry.lastIndexOf('/'))
  const text = sources.find(({ path }) => path === entry)?.text ?? ''
  const lists = [...text.matchAll(/^export (type )?\{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(([, type, names = '', from = '']) =>
    type === undefined
      ? names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => ({ name: name.split(' as ')[0] ?? '', file: join(folder, from) }))
      : [],
  )
  const namespaces = [...text.matchAll(/^export \* as (\w+) from/gm)].map(([, name = '']) => name)
  return lists.filter(({ name }) => !namespaces.includes(name))
}

const entries = listPublishedFolders().flatMap(listEntrySources)

test.each(entries)('every value of %s has an example', (entry) => {
  const missing = listValues(entry).filter(({ name, file }) => {
    const text = sources.find(({ path }) => path === file)?.text ?? ''
    const [before = ''] = text.split(new RegExp(`^export (?:declare )?(?:async )?(?:const|function\\*?|class) ${name}\\b`, 'm'))
    // A comment for the linter may stand between a docstring and its declaration.
    const above = before.replace(/(?:\/\/[^\n]*\n)*$/, '').trimEnd()
    const doc = [...above.matchAll(docstring)].pop()?.[0] ?? ''
    return before === text || !above.endsWith(doc) || !doc.includes('@example')
  })
  expect(missing.map(({ name, file }) => `${name} (${file})`)).toEqual([])
})
