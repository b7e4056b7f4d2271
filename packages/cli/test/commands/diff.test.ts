/** `lapidary manifest` and `lapidary diff`: their output and their exit codes. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiManifest, diff, manifest } from '@lapidary/testing'
import { basic, endpoint, int, ok, oneOf, optional, text } from 'lapidary'
import type { HttpHandler } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { expect, onTestFinished, test } from 'vitest'
import { folder, lapidary } from '../support/runCli.ts'
import { api as small } from '../support/smallApi.ts'

const people = basic<{ readonly name: string }>('people')
const old = {
  words: { search: endpoint('GET /words', { query: { sort: optional(oneOf('age', 'name')) }, response: ok(text) }) },
  account: endpoint('GET /account', { auth: people, response: ok(text) }),
}
const now = {
  words: {
    search: endpoint('GET /words', { query: { sort: optional(oneOf('age')), limit: optional(int) }, response: ok(text) }),
  },
  account: endpoint('GET /account', { auth: basic<{ readonly name: string }>('members'), response: ok(text) }),
}

/** A folder with the manifests of both. */
function kept(): { readonly own: string; readonly files: readonly [string, string] } {
  const own = folder()
  const write = (name: string, made: ApiManifest): string => {
    writeFileSync(join(own, name), JSON.stringify(made))
    return join(own, name)
  }
  return { own, files: [write('old.json', manifest(old)), write('new.json', manifest(now))] }
}

const report = `  clients   servers
account
  unknown   unknown   ~ auth
                        New servers read the credentials of old clients: the descriptions do not tell whether they accept them.
words.search
  safe      unknown   + query limit
                        Old servers ignore what new clients send there.
  breaking  safe      ~ query sort
                        Old clients may send "name", and new servers expect one of age.

1 change breaks clients of the old description; 1 change may break them; 1 change is safe for them.
`

test('manifest prints the result of manifest()', async () => {
  const { code, output, errors } = await lapidary(['manifest', 'smallApi.ts'])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toBe(`${JSON.stringify(manifest(small), null, 2)}\n`)
})

test('manifest writes to the file that --out names, which diff reads', async () => {
  const file = join(folder(), 'api.json')
  expect(await lapidary(['manifest', 'smallApi.ts', '--out', file])).toEqual({ code: 0, output: '', errors: '' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(manifest(small))
  const same = { code: 0, output: 'The two APIs are the same on the wire.\n', errors: '' }
  expect(await lapidary(['diff', file, 'smallApi.ts'])).toEqual(same)
  expect(await lapidary(['diff', 'smallApi.ts', 'smallApi.ts', '--export', 'api'])).toEqual(same)
})

test('diff lists each change, and fails if one breaks clients', async () => {
  const { files } = kept()
  expect(await lapidary(['diff', ...files])).toEqual({
    code: 1,
    output: report,
    errors: 'One change breaks clients. If it is intended, use --allow.\n',
  })
})

test('on a terminal, breaking changes are red, unknown ones yellow, and safe ones green', async () => {
  const { files } = kept()
  const { output } = await lapidary(['diff', ...files], { columns: 120 })
  for (const cell of ['\u001b[31mbreaking', '\u001b[33munknown', '\u001b[32msafe']) expect(output).toContain(cell)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(output.replace(/\u001b\[\d+m/g, '')).toBe(report)
  expect((await lapidary(['diff', ...files], { columns: 120, environment: { NO_COLOR: '1' } })).output).toBe(report)
})

test('diff --format json prints the changes as JSON', async () => {
  const { files } = kept()
  const { code, output } = await lapidary(['diff', ...files, '--format', 'json'])
  expect({ code, changes: JSON.parse(output) }).toEqual({ code: 1, changes: diff(manifest(old), manifest(now)) })
})

test.each(['words', 'words.search', 'words.search query', 'words.search query sort'])(
  'an intended change is allowed: "%s"',
  async (word) => {
    const { files } = kept()
    const { code, output, errors } = await lapidary(['diff', ...files, '--allow', word])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('~ query sort  (allowed)')
  },
)

test('--allow without a matching change is reported', async () => {
  const { files } = kept()
  const { code, errors } = await lapidary(['diff', ...files, '--allow', 'words', '--allow', 'word'])
  expect({ code, errors }).toEqual({ code: 0, errors: '--allow "word" matches no change. Remove it.\n' })
})

test('with --strict, unknown changes count as breaking', async () => {
  const { files } = kept()
  const { code, errors } = await lapidary(['diff', ...files, '--allow', 'words', '--strict'])
  expect({ code, errors }).toEqual({
    code: 1,
    errors: 'One change breaks clients, or may break them. If it is intended, use --allow.\n',
  })
})

test('a file that is not a manifest is rejected with one sentence', async () => {
  const { own, files } = kept()
  const file = join(own, 'other.json')
  for (const content of ['{}', '{', 'null']) {
    writeFileSync(file, content)
    expect(await lapidary(['diff', files[0], file])).toEqual({
      code: 2,
      output: '',
      errors: `${file} is not a manifest of version 1. Create one: lapidary manifest ./src/api.ts --out ${file}.\n`,
    })
  }
  expect((await lapidary(['diff', join(own, 'none.json'), file])).errors).toMatch(
    /none\.json cannot be read: no such file or directory\.\n$/,
  )
})

test('--replay sends the witnesses to a server of the new version', async () => {
  const { files } = kept()
  const seen: string[] = []
  const handler: HttpHandler = (request) => {
    seen.push(`${request.method} ${request.target} ${request.header('authorization')}`)
    return { status: 400, headers: ['X-Echo', 'secret-token'], body: 'no' }
  }
  const { url, close } = await listen(handler, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const words = ['diff', ...files, '--replay', url, '--token', 'secret-token']
  const { code, output } = await lapidary(words)
  expect({ code, seen }).toEqual({ code: 1, seen: ['GET /words?sort=name Bearer secret-token'] })
  expect(output.startsWith(report)).toBe(true)
  expect(await lapidary(['diff', ...files, '--replay', 'http://127.0.0.1:1'])).toEqual({
    code: 2,
    output: '',
    errors: 'http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Start the server, or correct --replay.\n',
  })
  expect(output).toContain('confirmed  words.search query sort\n           The server refuses the request: 400.\n           curl -i ')
  expect(output).toContain('           X-Echo: ***\n')
  expect(output).toContain('\nOf 1 witnesses: 1 confirmed, 0 refuted, 0 unclear, 0 not sent.\n')
  expect(output).not.toContain('secret-token')
  const json = JSON.parse((await lapidary([...words, '--format', 'json'])).output)
  expect(json[2]).toMatchObject({ place: 'query sort', witness: { caller: 'old' }, replay: { outcome: 'confirmed' } })
})

/** Two versions of a document, whose server needs a key in a header, in a cookie and in the query. */
function createGuardedDocuments(): readonly [string, string] {
  const own = folder()
  const write = (name: string, sorts: readonly string[]): string => {
    const scheme = (place: string, key: string): object => ({ type: 'apiKey', in: place, name: key })
    const document = {
      ...{ openapi: '3.1.0', info: { title: 'Words', version: '1' } },
      security: [{ head: [], jar: [], part: [] }],
      paths: {
        '/words': {
          get: {
            operationId: 'words',
            parameters: [
              { name: 'sort', in: 'query', schema: { type: 'string', enum: sorts } },
              { name: 'shelf', in: 'cookie', required: true, schema: { type: 'string', enum: ['high'] } },
            ],
            responses: { 204: { description: 'They are there.' } },
          },
        },
      },
      components: { securitySchemes: { head: scheme('header', 'X-Pass'), jar: scheme('cookie', 'session'), part: scheme('query', 'k') } },
    }
    writeFileSync(join(own, name), JSON.stringify(document))
    return join(own, name)
  }
  return [write('old.json', ['age', 'name']), write('new.json', ['age'])]
}

test('--replay sends the key of --api-key where each scheme of the new version has it, and prints none', async () => {
  const seen: string[] = []
  const { url, close } = await listen((request) => {
    seen.push(request.target, request.header('x-pass') ?? '', request.header('cookie') ?? '')
    return { status: 400, headers: ['X-Echo', 'opal-7'], body: 'no' }
  })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const files = createGuardedDocuments()
  const { code, output } = await lapidary(['diff', ...files, '--replay', url, '--api-key', 'opal-7'])
  expect({ code, seen }).toEqual({ code: 1, seen: ['/words?sort=name&k=opal-7', 'opal-7', 'shelf=high; session=opal-7'] })
  expect(output).toContain('confirmed  words query sort')
  expect(output).not.toContain('opal-7')
  const manifests = kept().files
  const wrong = await lapidary(['diff', ...manifests, '--replay', url, '--api-key', 'opal-7'])
  expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining('No auth scheme of this API takes the credentials of --api-key') })
})

test.each([
  [['--write'], '--write is about the requests of --replay: name the URL of a server by it.'],
  [['--api-key', 'a'], '--api-key is about the requests of --replay: name the URL of a server by it.'],
  [['--replay', 'nowhere'], '--replay: expected the URL of a server'],
  [['--replay', 'http://127.0.0.1:1', '--capture', 'x'], '--capture: expected a name and a text'],
])('%j is rejected', async (words, message) => {
  const { files } = kept()
  const { code, errors } = await lapidary(['diff', ...files, ...words])
  expect(code).toBe(2)
  expect(errors).toContain(message)
})
