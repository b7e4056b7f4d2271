/** `diff --semver`: which part of a version a change raises, and why. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifest } from '@lapidary/testing'
import { type Api, endpoint, int, ok, oneOf, optional, text } from 'lapidary'
import { expect, test } from 'vitest'
import { folder, lapidary } from '../support/runCli.ts'

const search = (query: Parameters<typeof endpoint>[1]['query'] = {}): Api => ({
  search: endpoint('GET /words', { query, response: ok(text) }),
})
const sorted = search({ sort: optional(oneOf('age', 'name')) })

async function run(old: Api, now: Api, ...words: readonly string[]): Promise<Awaited<ReturnType<typeof lapidary>>> {
  const own = folder()
  const files = Object.entries({ old, now }).map(([name, api]) => {
    const file = join(own, `${name}.json`)
    writeFileSync(file, JSON.stringify(manifest(api)))
    return file
  })
  return lapidary(['diff', ...files, '--semver', ...words])
}

test.each([
  ['the same', sorted, sorted, 'patch', 'because requests and responses stay the same.'],
  ['another name', sorted, { find: sorted['search'] } as Api, 'patch', 'because requests and responses stay the same.'],
  ['one parameter more', search(), sorted, 'minor', 'because there is more than before, and nothing breaks them.'],
  ['one value less', sorted, search({ sort: optional(oneOf('age')) }), 'major', 'because 1 change breaks them.'],
  ['required', search(), search({ sort: int, by: int }), 'major', 'because 2 changes break them.'],
] as const)('%s', async (_, old, now, part, reason) => {
  const { code, output, errors } = await run(old, now)
  expect({ code, output, clients: errors.split('\n')[0] }).toEqual({
    code: 0,
    output: `${part}\n`,
    clients: `Clients of the old version: ${part}, ${reason}`,
  })
})

test('what the descriptions do not tell is minor, and major with --strict', async () => {
  expect(await run(sorted, search())).toEqual({
    code: 0,
    output: 'minor\n',
    errors:
      'Clients of the old version: minor, because there is more than before, and nothing breaks them. 1 of the changes may break them: with --strict, it is major.\nClients of the new version: old servers serve them, too.\n',
  })
  expect((await run(sorted, search(), '--strict')).output).toBe('major\n')
})

test('clients of the new version need new servers', async () => {
  const { errors } = await run({}, sorted)
  expect(errors).toContain('Clients of the new version: 1 change breaks them while servers are old. Release the servers first.\n')
})
