/**
 * Other people's readers of the OpenAPI documents of the example `bookmarks` and of an API with what the example lacks: Prism as a mock and as
 * a validating proxy, openapi-fetch with the types of openapi-typescript, and the clients of @hey-api/openapi-ts. What they cannot do is listed
 * here and in docs/openapi.md.
 */
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../../scripts/startServer.mjs'
import { runNode } from '../command.mjs'
import { classic, compile, native } from '../compiler.mjs'
import { findProgram, here, readManifest } from '../places.mjs'
import { startPrism } from '../prism.mjs'

const emitOptions = { noEmit: false, outDir: 'read', rootDir: 'readers', rewriteRelativeImportExtensions: true }
const strictOptions = { lib: ['es2023', 'dom', 'dom.iterable'], noUncheckedIndexedAccess: true }

/** What the clients cannot do by themselves: the status of the response to what they send, if they send it. */
const limits = {
  openapiFetch: {
    'a cookie parameter': 400,
    'the credentials of a scheme': 401,
    'a form with a file': 415,
    'the media type of a body that is not JSON': 415,
    'a list in a deepObject': 'not sent',
  },
  heyApi: { 'a cookie parameter': 400, 'the second media type of a body': 400, 'a list in a deepObject': 'not sent' },
}

const createForm = (/** @type {string} */ body) => ({
  method: 'POST',
  headers: { Authorization: 'Bearer agate', 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
})
const createMultipart = (/** @type {Readonly<Record<string, File>>} */ files) => {
  const body = new FormData()
  body.append('title', 'Opal')
  for (const [name, file] of Object.entries(files)) body.append(name, file)
  return { method: 'PUT', headers: { 'X-Machine': 'lathe' }, body }
}
const png = new File([Uint8Array.of(0x89, 0x50, 0x4e)], 'opal.png', { type: 'image/png' })
const note = new File(['note'], 'note.txt')

/** What Prism finds in a request or in its response. */
const findViolations = async (/** @type {string} */ url, /** @type {RequestInit} */ init = {}) =>
  JSON.parse((await fetch(url, init)).headers.get('sl-violations') ?? '[]').map(({ message }) => message)

/**
 * What Prism cannot do: a request whose response from the server is documented, and what becomes of it.
 *
 * @type {Readonly<Record<string, { found: unknown, send: (url: { proxy: string, mock: string }) => Promise<unknown> }>>}
 */
const prismLimits = {
  'an optional object in a query, with a required member': {
    send: ({ proxy }) => findViolations(`${proxy}/stones?page=2`),
    found: ["Request query parameter filter must have required property 'owner'"],
  },
  'an empty list in a form': {
    send: ({ proxy }) => findViolations(`${proxy}/stones`, createForm('name=Opal')),
    found: ["Request body must have required property 'tags'"],
  },
  'several files of one name': {
    send: ({ proxy }) => findViolations(`${proxy}/stones/1/picture`, createMultipart({ picture: note, others: note })),
    found: ['Request body property others must be array'],
  },
  'a redirect, which the proxy follows': {
    send: ({ proxy }) => findViolations(`${proxy}/stones`, createForm('name=there&tags=a')),
    found: ['Unable to match the returned status code with those defined in the document: 201,202,303,400,401,406,409,413,415,500'],
  },
  'a byte that is not UTF-8, which becomes three': {
    send: async ({ proxy }) => (await (await fetch(`${proxy}/stones/1/picture`, createMultipart({ picture: png }))).json()).bytes,
    found: 5,
  },
  'another success than the first, from the mock': {
    send: async ({ mock }) => (await fetch(`${mock}/stones`, createForm('name=later&tags=a'))).status,
    found: 201,
  },
  // The last one: the mock ends.
  'a list in a response header, from the mock': {
    send: ({ mock }) =>
      fetch(`${mock}/tags`).then(
        ({ status }) => status,
        () => 'no response',
      ),
    found: 'no response',
  },
}

/** Writes the document of an API, and what is generated from it. */
async function generate(folder, name, document) {
  const place = join(folder, `${name}.json`)
  writeFileSync(place, document)
  await runNode(findProgram('openapi-typescript'), [place, '--output', join(folder, `${name}.ts`)])
  const output = join(folder, `hey${name[0].toUpperCase()}${name.slice(1)}`)
  const configuration = join(folder, `${name}.config.mjs`)
  const settings = { input: place, output: { path: output, module: { extension: '.js' } }, plugins: ['@hey-api/client-fetch'] }
  writeFileSync(configuration, `export default ${JSON.stringify(settings)}`)
  await runNode(findProgram('@hey-api/openapi-ts', 'openapi-ts'), ['--file', configuration, '--silent', '--no-log-file'], { cwd: here })
  return place
}

const versions = ['3.0', '3.1', '3.2']

/** Generates the clients from the documents of a version, and calls every operation. @returns the number of calls */
async function callEverything(version, { folder, project }) {
  const readers = join(folder, 'readers')
  const documents = await Promise.all([
    runNode(join(folder, 'read/document.js'), [version]),
    runNode('document.ts', [version], { cwd: project, environment: { NODE_OPTIONS: '--import=tsx' } }),
  ])
  const [stones = '', bookmarks = ''] = await Promise.all(
    ['stones', 'bookmarks'].map((name, index) => generate(readers, name, documents[index] ?? '')),
  )
  const files = ['readers/openapiFetch.ts', 'readers/heyApi.ts']
  await compile(classic, { folder, files, options: { ...emitOptions, ...strictOptions } })

  // Each version begins with an empty database.
  const environment = { DATABASE: join(project, `${version}.db`) }
  const servers = await Promise.all([
    startServer(['read/server.js'], folder),
    startServer(['--import', 'tsx', 'server.ts'], project, environment),
  ])
  const real = servers.map(({ url }) => url)
  /** @type {Awaited<ReturnType<typeof startPrism>>[]} */
  const prisms = []
  try {
    prisms.push(
      ...(await Promise.all([
        ...[stones, bookmarks].map((document, index) => startPrism('proxy', document, real[index] ?? '')),
        ...[stones, bookmarks].map((document) => startPrism('mock', document, '--errors')),
      ])),
    )
    const urls = { real, proxied: prisms.slice(0, 2).map(({ url }) => url), mocked: prisms.slice(2).map(({ url }) => url) }
    let calls = 0
    for (const [mode, [STONES = '', BOOKMARKS = '']] of Object.entries(urls)) {
      for (const program of /** @type {const} */ (['openapiFetch', 'heyApi'])) {
        const output = await runNode(join(folder, `read/${program}.js`), [], {
          environment: { MODE: mode, STONES, BOOKMARKS, PAGE: `${real[1]}/` },
        })
        const { count, violations, limits: found } = JSON.parse(output)
        assert.deepEqual(violations, [], `Prism finds these in the calls of ${program}, by OpenAPI ${version}`)
        assert.deepEqual(found, mode === 'real' ? limits[program] : {}, `what ${program} cannot do has changed, by OpenAPI ${version}`)
        calls += count
      }
    }
    const [[proxy = ''], [mock = '']] = [urls.proxied, urls.mocked]
    for (const [name, { send, found }] of Object.entries(prismLimits))
      assert.deepEqual(await send({ proxy, mock }), found, `what Prism cannot do has changed, by OpenAPI ${version}: ${name}`)
    return calls
  } finally {
    for (const { child } of servers) child.kill()
    for (const { stop } of prisms) stop()
    await Promise.all(prisms.map(({ ended }) => ended))
  }
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check(stage) {
  const { folder } = await stage.consumer()
  const project = (await stage.examples()).locate('bookmarks')
  cpSync(join(folder, 'readers/document.ts'), join(project, 'document.ts'))
  await compile(native, { folder, files: ['readers/document.ts', 'readers/server.ts'], options: emitOptions })
  let calls = 0
  for (const version of versions) calls += await callEverything(version, { folder, project })
  const programs = ['@stoplight/prism-cli', 'openapi-fetch', '@hey-api/openapi-ts'].map(
    (name) => `${name} ${readManifest(join(here, 'node_modules', name)).version}`,
  )
  return `${calls} calls by two clients of OpenAPI ${versions.join(', ')}, to servers, by Prism to servers, and to Prism; ${programs.join(', ')}`
}
