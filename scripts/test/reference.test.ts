/** The reference is complete: it has every entry point and every public name, and each of them has a docstring. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatDoc, generateReference, writeReference } from '../reference.mjs'
import { listPublishedFolders, readManifestText } from '../workspaces.mjs'

const { pages, entryPoints, undocumented } = generateReference()
const getPage = (file: string): string => pages.get(file) ?? ''

/** The anchors of a page's headings, as GitHub makes them. */
function listAnchors(page: string): readonly string[] {
  const counts = new Map<string, number>()
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-')
    const count = counts.get(plain) ?? 0
    counts.set(plain, count + 1)
    return count === 0 ? plain : `${plain}-${count}`
  })
}

test.each(entryPoints)('the page of $specifier has its name and its summary', ({ specifier, file, summary }) => {
  expect(summary).not.toBe('')
  expect(getPage(file).startsWith(`# \`${specifier}\`\n\n${summary} `)).toBe(true)
  expect(pages.get('README.md')).toContain(`## [\`${specifier}\`](${file})\n\n${summary}\n`)
})

test('there is one page for each entry point, and an index', () => {
  const manifests = listPublishedFolders().map((folder) => JSON.parse(readManifestText(folder)) as { name: string; exports?: object })
  const expected = manifests.flatMap(({ name, exports = {} }) =>
    Object.keys(exports)
      .filter((subpath) => !subpath.startsWith('./internal'))
      .map((subpath) => name + subpath.slice(1)),
  )
  expect(entryPoints.map(({ specifier }) => specifier)).toEqual(expected)
  expect([...pages.keys()].sort()).toEqual(['README.md', ...entryPoints.map(({ file }) => file)].sort())
})

test('every public name says what it is', () => {
  expect(undocumented).toEqual([])
})

test.each(entryPoints)('nothing that can be imported from $specifier is missing', async ({ specifier, file }) => {
  const names = Object.keys((await import(specifier)) as object)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !getPage(file).includes(`\`${name}\``))).toEqual([])
})

test('every link of the index leads to a heading', () => {
  const links = [...getPage('README.md').matchAll(/\]\(([\w.-]+)(?:#([\w-]+))?\)/g)]
  const broken = links.filter(([, file = '', anchor]) => !pages.has(file) || (anchor && !listAnchors(getPage(file)).includes(anchor)))
  expect(links.length).toBeGreaterThan(100)
  expect(broken.map(([link]) => link)).toEqual([])
})

test('the pages are written, and those of an earlier run are removed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-reference-'))
  try {
    writeFileSync(join(folder, 'removed.md'), '# An entry point that is gone\n')
    writeReference(folder)
    const written = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(pages))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the tags of a docstring become blocks of Markdown', () => {
  const doc = `Parses a range.

@param text the value of the header
@param limit the largest page
@returns undefined where the range is invalid
@default 100
@throws {TypeError} for a negative limit
@example
const range = parseRange('name; limit 20', 100)`
  expect(formatDoc(doc)).toBe(`Parses a range.

- \`text\`: the value of the header
- \`limit\`: the largest page

**Returns** undefined where the range is invalid

**Default** 100

**Throws** TypeError for a negative limit

\`\`\`ts
const range = parseRange('name; limit 20', 100)
\`\`\``)
})
