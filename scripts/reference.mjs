/**
 * Writes the reference: one page for each entry point, with the signature and the docstring of every public name.
 *
 *   npm run reference
 *
 * The pages come from the declarations that tsc emits. They go to docs/reference/, which git ignores.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listExports, listPrivateTypes, parseDoc } from './declarations.mjs'
import { listPublishedFolders, readManifestText } from './workspaces.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const isType = ({ kind }) => kind === 'type' || kind === 'interface'
const compareNames = (one, other) => one.name.localeCompare(other.name, 'en') || (one.name < other.name ? -1 : 1)

/** The first docstring of an entry point. The emitted file may have lost it. */
function readSummary(source) {
  const [doc] = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(source, 'utf8')) ?? []
  return parseDoc(doc).replaceAll(/\s*\n\s*/g, ' ')
}

/** Every entry point of every published package, with the names that it exports. `internal` and `internal-node` are for our own packages only. */
function listEntryPoints() {
  return listPublishedFolders().flatMap((folder) => {
    const { name, exports = {} } = JSON.parse(readManifestText(folder))
    return Object.entries(exports)
      .filter(([subpath, { types }]) => types !== undefined && !subpath.startsWith('./internal'))
      .map(([subpath, { types }]) => {
        const specifier = name + subpath.slice(1)
        const names = listExports(join(root, folder, types)).sort(compareNames)
        return {
          specifier,
          file: `${specifier.replace(/^@|^lapidary\//, '').replaceAll('/', '-')}.md`,
          summary: readSummary(join(root, folder, types.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts'))),
          values: names.filter((one) => !isType(one)),
          types: names.filter(isType),
        }
      })
  })
}

const separator = '// ----'

/** The formatter keeps an object on several lines when it is written so. @param {string} code */
const joinSingleMembers = (code) => code.replace(/\{\n +([^\n{}/]+);\n *\}/g, '{ $1 }')

/** Formats all signatures in one run of the formatter, in lines that fit beside a table of contents. */
function formatCode(codes) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--stdin-file-path=reference.d.ts', '--line-width=110'],
    { cwd: root, encoding: 'utf8', input: codes.join(`\n${separator}\n`) },
  )
  if (status !== 0) throw new Error(`Cannot format the signatures: ${stderr}`)
  return stdout.split(separator).map((code) => code.trim())
}

const tag = /(?:^|(?<=[.:)] ))@(param|returns|throws|default|example)\b[^\S\n]*/m
const labels = { returns: 'Returns', throws: 'Throws', default: 'Default' }

/** One tag of a docstring as Markdown. */
function formatTag(name, text) {
  if (name === 'example') return text.startsWith('```') ? text : `\`\`\`ts\n${text}\n\`\`\``
  if (name === 'param') return text.replace(/^(?:\{[^}]*\} )?(\S+)(?: -)?\s*/, '- `$1`: ')
  return `**${labels[name]}** ${text.replace(/^\{(\w+)\}/, '$1')}`
}

/** A docstring as Markdown. */
export function formatDoc(doc) {
  const [text, ...tags] = doc.split(new RegExp(tag, 'gm'))
  const blocks = [text.trim()]
  for (let index = 0; index < tags.length; index += 2) {
    const block = formatTag(tags[index], tags[index + 1].trim())
    const isNextParameter = tags[index] === 'param' && tags[index - 2] === 'param'
    if (isNextParameter) blocks.push(`${blocks.pop()}\n${block}`)
    else blocks.push(block)
  }
  return blocks.filter((block) => block !== '').join('\n\n')
}

/** The anchors of an entry point's names, as GitHub makes them: lower case, and a number when that is taken. */
function listAnchors({ values, types }) {
  const counts = new Map()
  return new Map(
    [...values, ...types].map((one) => {
      const plain = one.name.toLowerCase()
      const count = counts.get(plain) ?? 0
      counts.set(plain, count + 1)
      return [one, count === 0 ? plain : `${plain}-${count}`]
    }),
  )
}

function formatEntryPage(entry, signatureOf) {
  const section = (one) => [
    `### \`${one.name}\``,
    ...one.forms.flatMap((form) => [`\`\`\`ts\n${signatureOf(form)}\n\`\`\``, ...(form.doc === '' ? [] : [formatDoc(form.doc)])]),
  ]
  return [
    `# \`${entry.specifier}\``,
    `${entry.summary} [All entry points](README.md)`,
    ...(entry.values.length === 0 ? [] : ['## Functions and values', ...entry.values.flatMap(section)]),
    ...(entry.types.length === 0 ? [] : ['## Types', ...entry.types.flatMap(section)]),
  ]
}

function formatIndexPage(entries) {
  const links = (entry, names) => names.map((one) => `[\`${one.name}\`](${entry.file}#${listAnchors(entry).get(one)})`).join(', ')
  return [
    '# Reference',
    'Every public name with its signature and its docstring, on one page for each entry point.',
    ...entries.flatMap((entry) => [
      `## [\`${entry.specifier}\`](${entry.file})`,
      entry.summary,
      ...[links(entry, entry.values), links(entry, entry.types)].filter((line) => line !== ''),
    ]),
  ]
}

const joinBlocks = (blocks) => `${blocks.join('\n\n')}\n`

/** Generates the pages by their file names, and lists the entry points and the names without a docstring. */
export function generateReference() {
  const entries = listEntryPoints()
  const names = entries.flatMap(({ values, types }) => [...values, ...types])
  const isPublic = ({ path, name }) => names.some((one) => one.path === path && one.name === name)
  // The last overload is followed by the types that it uses and that cannot be imported.
  const codes = names.flatMap((one) =>
    one.forms.map((form, index) => {
      const others = index === one.forms.length - 1 ? listPrivateTypes(one, isPublic).flatMap(({ forms }) => forms) : []
      return [form, [form, ...others].map(({ code }) => joinSingleMembers(code.replace(/^declare /gm, ''))).join('\n\n')]
    }),
  )
  const signatureTexts = formatCode(codes.map(([, code]) => code))
  const signatures = new Map(codes.map(([form], index) => [form, signatureTexts[index]]))
  return {
    pages: new Map([
      ['README.md', joinBlocks(formatIndexPage(entries))],
      ...entries.map((entry) => [entry.file, joinBlocks(formatEntryPage(entry, (form) => signatures.get(form)))]),
    ]),
    entryPoints: entries.map(({ specifier, file, summary }) => ({ specifier, file, summary })),
    undocumented: entries.flatMap(({ specifier, values, types }) =>
      [...values, ...types].filter(({ forms: [{ doc }] }) => doc === '').map(({ name }) => `${name} of ${specifier}`),
    ),
  }
}

/** Writes the pages into a folder, in the place of the pages that are there. */
export function writeReference(folder) {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.md'))) rmSync(join(folder, name))
  for (const [name, text] of generateReference().pages) writeFileSync(join(folder, name), text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '--build', ...listPublishedFolders()], { cwd: root, stdio: ['ignore', 2, 2] })
  process.exitCode = status ?? 1
  if (status === 0) {
    const folder = join(root, 'docs', 'reference')
    writeReference(folder)
    process.stderr.write(`The reference is in ${folder}.\n`)
  }
}
