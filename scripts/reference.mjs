// Writes docs/reference/: every name that can be imported from the toolkit, with its signature and its docstring, from the declarations that
// tsc emits. `node scripts/reference.mjs`; packages/lapidary/test/reference.test.ts sees to it that it is done.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { besides, exported } from './declarations.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = 'docs/reference'
const isType = ({ kind }) => kind === 'type' || kind === 'interface'
const byName = (one, other) => one.name.localeCompare(other.name, 'en') || (one.name < other.name ? -1 : 1)

/** `const NotFound: ErrorClass<404>`, one of many alike: its type says all that there is to say. */
const oneOfMany = /^declare const (?<name>\w+): (?<type>\w+)<(?<status>\d+)>;$/
const alike = ({ forms: [{ doc, code }] }) => (doc === '' ? oneOfMany.exec(code)?.groups : undefined)

/** What each door leads to, by the name that is imported. */
function doors() {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'packages/lapidary/package.json'), 'utf8'))
  return Object.entries(exports).map(([subpath, { source, types }]) => {
    // The emitted file may have lost the sentence at its head.
    const [, sentence] = /^\/\*\* (.*) \*\//.exec(readFileSync(join(root, 'lapidary', source), 'utf8'))
    const all = exported(join(root, 'lapidary', types)).sort(byName)
    return {
      name: subpath === '.' ? name : name + subpath.slice(1),
      file: `${subpath === '.' ? name : subpath.slice(2)}.md`,
      sentence,
      errors: all.map(alike).filter((one) => one !== undefined),
      values: all.filter((one) => !isType(one) && alike(one) === undefined),
      types: all.filter(isType),
    }
  })
}

const separator = '// ----'

/** An object with one member in one line: a formatter keeps those apart that stand apart. */
const gathered = (code) => code.replace(/\{\n +([^\n{}/]+);\n *\}/g, '{ $1 }')

/** Code in the style of this repository, in lines that fit beside a table of contents; all of it in one run of the formatter. */
function formatted(codes) {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['format', '--stdin-file-path=reference.d.ts', '--line-width=110'],
    { cwd: root, encoding: 'utf8', input: codes.join(`\n${separator}\n`) },
  )
  if (status !== 0) throw new Error(`The signatures cannot be formatted: ${stderr}`)
  return stdout.split(separator).map((code) => code.trim())
}

const tags = { throws: 'Throws', returns: 'Returns' }

/** A docstring as Markdown. */
const prose = (doc) =>
  doc
    .replace(/(?:^|(?<=[.:]) )@(throws|returns) +(?:\{(\w+)\})? ?/gm, (_, tag, type = '') => `\n\n**${tags[tag]}** ${type}${type && ' '}`)
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** As GitHub names headings: the second of two that are alike in lower case has a number. */
function anchors(door) {
  const counts = new Map()
  return new Map(
    [...door.values, ...door.types].map((one) => {
      const plain = one.name.toLowerCase()
      const count = counts.get(plain) ?? 0
      counts.set(plain, count + 1)
      return [one, count === 0 ? plain : `${plain}-${count}`]
    }),
  )
}

/** The errors by their names: a class to tell one by and a function to raise one, for each status. */
function errorTable(errors) {
  if (errors.length === 0) return []
  const types = [...new Set(errors.map(({ type }) => type))].sort()
  const statuses = [...new Set(errors.map(({ status }) => Number(status)))].sort((one, other) => one - other)
  const named = (status, type) => errors.find((one) => one.type === type && Number(one.status) === status)?.name ?? ''
  return [
    '### The errors by their status',
    'Each row is a status. A class is there to tell an error by, a function to raise it: `throw notFound({ detail })`, `error instanceof NotFound`.',
    [
      `| status | ${types.map((type) => `\`${type}\``).join(' | ')} |`,
      `| --- | ${types.map(() => '---').join(' | ')} |`,
      ...statuses.map((status) => `| ${status} | ${types.map((type) => `\`${named(status, type)}\``).join(' | ')} |`),
    ].join('\n'),
  ]
}

const notice =
  '<!-- Written by `node scripts/reference.mjs` from the declarations in packages/lapidary/dist. Change the docstrings in packages/lapidary/src instead. -->'

function doorPage(door, signatureOf) {
  const entry = (one) => [
    `### \`${one.name}\``,
    ...one.forms.flatMap((form) => [`\`\`\`ts\n${signatureOf(form)}\n\`\`\``, ...(form.doc === '' ? [] : [prose(form.doc)])]),
  ]
  return [
    notice,
    `# \`${door.name}\``,
    `${door.sentence} [All subpaths](README.md)`,
    ...(door.values.length === 0 ? [] : ['## Functions and values', ...door.values.flatMap(entry)]),
    ...errorTable(door.errors),
    ...(door.types.length === 0 ? [] : ['## Types', ...door.types.flatMap(entry)]),
  ]
}

function indexPage(all) {
  const links = (door, list) => list.map((one) => `[\`${one.name}\`](${door.file}#${anchors(door).get(one)})`).join(', ')
  return [
    notice,
    '# Reference',
    'Every name that can be imported, with its signature and what its docstring says; a page for each subpath. `node scripts/reference.mjs` writes these pages from the declarations that the compiler emits.',
    ...all.flatMap((door) => [
      `## [\`${door.name}\`](${door.file})`,
      door.sentence,
      ...[
        links(door, door.values),
        door.errors.length === 0 ? '' : `[the errors by their status](${door.file}#the-errors-by-their-status)`,
        links(door, door.types),
      ].filter((line) => line !== ''),
    ]),
  ]
}

const written = (blocks) => `${blocks.join('\n\n')}\n`

/** The pages by their paths, and the names that say nothing about themselves. */
export function reference() {
  const all = doors()
  const entries = all.flatMap((door) => [...door.values, ...door.types])
  // Behind the last form of each, the types of its file that nobody can import.
  const codes = entries.flatMap((one) =>
    one.forms.map((form, index) => [form, [form, ...(index === one.forms.length - 1 ? besides(one).flatMap(({ forms }) => forms) : [])]]),
  )
  const signatures = formatted(codes.map(([, forms]) => forms.map(({ code }) => gathered(code.replace(/^declare /gm, ''))).join('\n\n')))
  const byForm = new Map(codes.map(([form], index) => [form, signatures[index]]))
  return {
    pages: new Map([
      [join(folder, 'README.md'), written(indexPage(all))],
      ...all.map((door) => [join(folder, door.file), written(doorPage(door, (form) => byForm.get(form)))]),
    ]),
    silent: all.flatMap((door) =>
      [...door.values, ...door.types].filter(({ forms: [{ doc }] }) => doc === '').map(({ name }) => `${name} of ${door.name}`),
    ),
  }
}

/** Writes the pages, and nothing else is left in their folder. */
export function writeReference() {
  rmSync(join(root, folder), { recursive: true, force: true })
  mkdirSync(join(root, folder), { recursive: true })
  for (const [path, text] of reference().pages) writeFileSync(join(root, path), text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--build', 'lapidary'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status === 0) writeReference()
  process.exitCode = status ?? 1
}
