/** The release workflow knows where the repository is; no committed manifest does. */
import { expect, test } from 'vitest'
import { addRepositoryFields, createRepositoryFields } from '../repository.mjs'
import { listPublishedFolders, listWorkspaceFolders, readManifestText } from '../workspaces.mjs'

test.each(['https://git.example/owner/name', 'https://git.example/owner/name/', 'https://git.example/owner/name.git'])(
  'the fields of %s',
  (url) => {
    expect(createRepositoryFields(url, 'packages/one')).toEqual({
      repository: { type: 'git', url: 'git+https://git.example/owner/name.git', directory: 'packages/one' },
      homepage: 'https://git.example/owner/name#readme',
      bugs: { url: 'https://git.example/owner/name/issues' },
    })
  },
)

test.each([
  undefined,
  '',
  'owner/name',
  'git@git.example:owner/name.git',
  'http://git.example/owner/name',
  'https://git.example',
  'https://git.example/owner',
  'https://ann:secret@git.example/owner/name',
  'https://git.example/owner/name?tab=readme',
  'https://git.example/owner/name#readme',
  'https://git.example/owner//name',
])('%j is not the address of a repository', (url) => {
  expect(() => createRepositoryFields(url, 'packages/one')).toThrow(
    /^REPOSITORY_URL is ".*": set it to the https address of the repository/,
  )
})

test('the fields stand behind the license, and nothing else changes', () => {
  const manifest = { name: 'one', license: 'MIT', bugs: { url: 'https://old.example/issues' }, type: 'module' }
  const text = addRepositoryFields(JSON.stringify(manifest), 'https://git.example/owner/name', 'packages/one')
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['name', 'license', 'repository', 'homepage', 'bugs', 'type'])
  expect(JSON.parse(text)).toMatchObject({ name: 'one', type: 'module', bugs: { url: 'https://git.example/owner/name/issues' } })
})

test.each(listPublishedFolders())('the manifest of %s keeps its text but for the fields', (folder) => {
  const text = readManifestText(folder)
  const {
    repository: _,
    homepage: __,
    bugs: ___,
    ...rest
  } = JSON.parse(addRepositoryFields(text, 'https://git.example/owner/name', folder)) as Record<string, unknown>
  expect(`${JSON.stringify(rest, null, 2)}\n`).toBe(text)
})

test.each(['.', ...listWorkspaceFolders()])('the manifest of %s names no address', (folder) => {
  const manifest = JSON.parse(readManifestText(folder)) as object
  expect(manifest).not.toHaveProperty('repository')
  expect(manifest).not.toHaveProperty('homepage')
  expect(manifest).not.toHaveProperty('bugs')
})
