/** A project that installs the packages: every subpath type-checks in both lines of TypeScript, and works. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, runNode } from '../command.mjs'
import { classic, compile, compilers, native } from '../compiler.mjs'
import { listEntryPoints, packages, readManifest, toolkit } from '../places.mjs'

const bundled = { module: 'preserve', moduleResolution: 'bundler' }

/** What is compiled, and how. No project names the types of Node.js: the subpath that needs them refers to them. */
const programs = {
  node: { files: ['notes/program.ts'], options: { types: [] } },
  bundler: { files: ['notes/program.ts'], options: { types: [], ...bundled } },
  readme: { files: ['notes/readme.ts'], options: { types: [] } },
  browser: { files: ['notes/browser.ts'], options: { types: [], ...bundled, lib: ['es2022', 'dom'] } },
}

/** A contract of ts-rest. The declarations of `@ts-rest/core` do not compile beside zod 4, and so they are not checked. */
const contract = { files: ['notes/contract.ts'], options: { types: [] } }
/** The page with MSW, whose own declarations are not checked. */
const mocked = { files: ['notes/mocked.ts'], options: { types: ['node'], ...bundled, lib: ['es2023', 'dom', 'dom.iterable'] } }

/** The same program, with the declarations of all packages checked as well. */
const checkAllDeclarations = ({ files, options }) => ({ files, options: { ...options, skipLibCheck: false } })

/** The example on the package's own page. */
function readExample() {
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(toolkit, 'README.md'), 'utf8')) ?? []
  assert(code, 'README.md has no example')
  return code
}

/** The project of SKILL.md, with the compiler options that it says. It is read from the installed package. */
function writeSkill(folder) {
  const text = readFileSync(join(folder, 'node_modules/lapidary/SKILL.md'), 'utf8')
  const project = join(folder, 'skill')
  mkdirSync(project)
  for (const [, language, info, block] of text.matchAll(/^```(ts|json) ?(\S*)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(project, language === 'json' ? info : (/^\/\/ (\S+)\n/.exec(block)?.[1] ?? '')), block)
  return project
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ consumer }) {
  const { folder } = await consumer()
  const sources = join(folder, 'notes')
  writeFileSync(join(sources, 'readme.ts'), readExample())
  const text = readdirSync(sources).map((name) => readFileSync(join(sources, name), 'utf8'))
  const specifiers = packages.flatMap(listEntryPoints)
  const isImported = (/** @type {string} */ specifier) => text.join().includes(`from '${specifier}'`)
  assert.deepEqual(
    specifiers.filter((specifier) => !isImported(specifier)),
    [],
    'projects/notes imports none of these',
  )

  for (const program of Object.values(programs)) await compile(native, { folder, ...checkAllDeclarations(program) })
  await compile(native, { folder, ...contract })
  await compile(native, { folder, ...mocked })
  // The other compiler takes ten seconds for all declarations, and so it reads them once.
  const { node: first, ...others } = programs
  for (const program of Object.values(others)) await compile(classic, { folder, ...program })
  const { files, options } = checkAllDeclarations(first)
  await compile(classic, { folder, files, options: { ...options, noEmit: false, outDir: 'out' } })

  const skill = writeSkill(folder)
  for (const { program } of compilers) await runNode(program, ['--project', skill, '--pretty', 'false'], { cwd: skill })
  await compile(classic, { folder, files: contract.files, options: { ...contract.options, noEmit: false, outDir: 'out' } })

  const attachments = join(folder, 'attachments')
  mkdirSync(attachments)
  assert.equal(await runNode(join(folder, 'out/program.js'), [attachments], { cwd: folder }), 'Every subpath works.\n')
  assert.equal(await runNode(join(folder, 'out/contract.js'), [], { cwd: folder }), 'The old client goes on.\n')
  const commands = packages.flatMap((source) => Object.keys(readManifest(source).bin ?? {}))
  for (const name of commands) await runCommand('npm', ['exec', '--offline', '--', name, '--help'], { cwd: folder })
  const versions = compilers.map(({ version }) => version).join(' and ')
  return `${specifiers.length} subpaths under TypeScript ${versions}, as Node and as bundlers resolve, all declarations checked; run by Node ${process.versions.node}`
}
