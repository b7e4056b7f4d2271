/** `llms.txt` is what the lists of the documentation say, and its links lead somewhere, as do those of the pages at the root. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createLlmsText } from '../llms.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

/** `UPDATE_GUIDES=1` writes it. */
test('llms.txt is up to date', () => {
  const text = createLlmsText()
  if (process.env['UPDATE_GUIDES'] === '1') writeFileSync(join(root, 'llms.txt'), text)
  expect(readText('llms.txt')).toBe(text)
})

test('llms.txt has the form that llmstxt.org describes, and each page of the documentation', () => {
  const text = readText('llms.txt')
  expect(text).toMatch(/^# Lapidary\n\n> .+\n\n/)
  const lists = text.slice(text.indexOf('\n## ')).split('\n')
  expect(lists.filter((line) => line !== '' && !line.startsWith('## ') && !/^- \[[^\]]+\]\([^)]+\)/.test(line))).toEqual([])
  const linked = new Set([...text.matchAll(/\]\(([^)#]+)/g)].map(([, target]) => target))
  for (const folder of ['docs/README.md', 'docs/cookbook/README.md'])
    for (const item of readText(folder).match(/^- .*$/gm) ?? [])
      for (const [, target = ''] of item.matchAll(/\]\((?!https?:)([^)#]+\.md)/g))
        expect(linked).toContain(join(dirname(folder), target).replaceAll('\\', '/'))
})

test.each(['llms.txt', 'SUPPORT.md', 'GOVERNANCE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md', 'README.md'])(
  'every link of %s leads somewhere',
  (path) => {
    const targets = [...readText(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target)
    expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([])
  },
)
