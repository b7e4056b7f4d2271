/** No identifier and no comment has an imprecise word: a program sends requests and responses, and has options, an environment and an output. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findImpreciseWords, listCheckedFiles } from '../impreciseWords.mjs'
import { listWorkspaceFolders } from '../workspaces.mjs'

const root = new URL('../../', import.meta.url)
const files = listCheckedFiles()
const folders = listWorkspaceFolders().flatMap((folder) => [`${folder}/src`, `${folder}/test`])

test.each([...folders, 'bench', 'conformance', 'examples', 'scripts'])('%s has no imprecise words', (folder) => {
  const paths = files.flatMap((file) => (file.folder === folder ? [file.path.replaceAll('\\', '/')] : []))
  expect(paths.length).toBeGreaterThan(0)
  const found = paths.flatMap((path) => {
    const { identifiers, comments } = findImpreciseWords(readFileSync(new URL(path, root), 'utf8'))
    return [...identifiers, ...comments].map((word) => `${path}: ${word}`)
  })
  expect(found).toEqual([])
})

test('identifiers and comments are checked, in templates too, and no string literal or regular expression is', () => {
  const source = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source
    '/* It was told. */ const isAnswered = askOnce(`asked ${heard /* nobody */} ${`${said}`} answer`) // Whoever',
    "const text = 'asked \\'told' + \"answer\" // carried",
    'const ratio = answers / 2 / told',
    'const pattern = /[/"]answer/.test(task)',
    'const mask = basket.contestants',
  ].join('\n')
  expect(findImpreciseWords(source)).toEqual({
    identifiers: ['isAnswered', 'askOnce', 'heard', 'said', 'answers', 'told', 'contestants'],
    comments: ['told', 'nobody', 'Whoever', 'carried'],
  })
})
