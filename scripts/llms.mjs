/**
 * Makes `llms.txt` (https://llmstxt.org): an index of the documentation for assistants, from the lists that people read: docs/README.md and
 * docs/cookbook/README.md. There is no llms-full.txt: all pages are 600 KB, more than an assistant reads at once, and SKILL.md is the page to begin with.
 *
 *   UPDATE_GUIDES=1 npx vitest run --project repository scripts/test/llms.test.ts    writes it again
 */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const readText = (/** @type {string} */ path) => readFileSync(`${root}${path}`, 'utf8')

const linkForm = /\[([^\]]*)\]\(([^)]*)\)/g

/** The links of a page, as they are from the root of the repository. */
const rebaseLinks = (/** @type {string} */ text, /** @type {string} */ folder) =>
  text.replace(linkForm, (whole, name, target) => (/^https?:/.test(target) ? whole : `[${name}](${posix.join(folder, target)})`))

/** The first heading of a page. */
const readTitle = (/** @type {string} */ path) => /^# (.*)$/m.exec(readText(path))?.[1] ?? path

/** An entry begins with a link to its page. An item of the list that names several pages in a sentence has an entry for each. */
function listEntries(/** @type {string} */ item) {
  const text = item.replaceAll('**', '')
  if (text.startsWith('- [')) return [text]
  const targets = [...text.matchAll(linkForm)].map(([, , target]) => target.replace(/#.*$/, ''))
  return [...new Set(targets)].filter((target) => target.endsWith('.md')).map((target) => `- [${readTitle(target)}](${target})`)
}

const createSection = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ folder) => {
  const entries =
    rebaseLinks(text, folder)
      .match(/^- .*$/gm)
      ?.flatMap(listEntries) ?? []
  return `## ${title}\n\n${entries.join('\n')}\n`
}

/** The text of llms.txt. */
export function createLlmsText() {
  const [, summary = ''] = /^\*\*(.*)\*\*$/m.exec(readText('README.md')) ?? []
  const cookbook = readText('docs/cookbook/README.md').split(/^\*\*(.*)\*\*$/m)
  // Pairs of a title and its list; the first one repeats entries of the others.
  const recipes = cookbook.slice(3).flatMap((title, index, parts) => (index % 2 === 0 ? [[title, parts[index + 1] ?? '']] : []))
  return [
    `# Lapidary\n\n> ${summary}\n`,
    'To write an API, read [SKILL.md](packages/lapidary/SKILL.md), which is in the package `lapidary` as well. To change the toolkit itself, read [AGENTS.md](AGENTS.md). The tests run the code of all pages.\n',
    createSection('Documentation', readText('docs/README.md'), 'docs'),
    ...recipes.map(([title, text]) => createSection(`Cookbook: ${title.toLowerCase()}`, text, 'docs/cookbook')),
    createSection(
      'Optional',
      '- [README](README.md): what Lapidary is, how it compares, and what it derives.\n- [Internals](docs/internals.md): layers, tests, commands, releases.\n- [Support](SUPPORT.md): the versions of Node.js and TypeScript, and what a version promises.\n',
      '',
    ),
  ].join('\n')
}
