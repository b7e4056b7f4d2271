/** structured-field-tests: the Strings of structured fields, to `Idempotency-Key` of a server and of a client. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoint, noContent, ok, text } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { createCases } from './cases.mjs'
import { exchangeBytes, onEachAdapter } from './servers.mjs'

export const title = 'structured-field-tests'
export const about =
  'The server reads one structured field, `Idempotency-Key`, which is an Item with a String. Each Item of the suite that begins with a quotation mark is the key of a request: the handler must get the String that the suite expects, and the server must reject a malformed one with 400. The client writes each String, or refuses it.'

export const sources = [
  {
    repository: 'httpwg/structured-field-tests',
    commit: '1e280c3ed9ffe0ca5fdb1d97219dddc389007677',
    licence: 'MIT',
    paths: ['*.json', 'serialisation-tests'],
  },
]

/** @type {readonly import('./cases.mjs').Reason[]} */
const reasons = [
  {
    outcome: 'refused',
    reason: 'A key has at most 255 characters, so that a client cannot fill the store.',
    includes: (name) => name.includes('large') || name.includes('long'),
  },
  { outcome: 'refused', reason: 'An empty key identifies no request.', includes: (name) => name.endsWith('empty string') },
  {
    outcome: 'refused',
    reason: 'Two fields of a header with one value are an error. The suite allows to refuse them.',
    includes: (name) => name.endsWith('two lines string'),
  },
]

const api = {
  read: endpoint('POST /', { idempotent: 'required', response: ok(text) }),
  write: endpoint('PATCH /', { idempotent: 'required', response: noContent }),
}
const server = serve(api, { read: ({ headers }) => headers['Idempotency-Key'], write: () => undefined })

const readTests = (/** @type {string} */ folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).map((test) => ({ ...test, file: name.slice(0, -5) })))

/** Why the toolkit has nothing for a case; undefined where it has. */
function findAbsence({ header_type: type, raw: [first] = [], expected }) {
  if (type !== 'item') return 'The toolkit reads no List and no Dictionary.'
  const isString = first === undefined ? typeof expected?.[0] === 'string' : first.trimStart().startsWith('"')
  return isString ? undefined : 'The only Item that the toolkit reads is a String.'
}

/** What is wrong with what the server reads; undefined where nothing is. */
async function findReadFault(url, { raw, expected, must_fail: mustFail = false }) {
  const lines = raw.map((value) => `Idempotency-Key: ${value}\r\n`).join('')
  const response = await exchangeBytes(
    url,
    Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n${lines}\r\n`),
    2_000,
  )
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0)
  if (status !== (mustFail ? 400 : 200)) return `status ${status}`
  const body = response.slice(response.indexOf('\r\n\r\n') + 4)
  return mustFail || body === expected[0] ? undefined : `read as ${body}`
}

/** What is wrong with what the client writes; undefined where nothing is. */
async function findWriteFault({ raw, expected: [value], canonical = raw, must_fail: mustFail = false }) {
  let written
  const send = async (request) => {
    written = request.headers.get('Idempotency-Key')
    return new Response(null, { status: 204 })
  }
  try {
    await client(api, 'http://server.example', { fetch: (input, init) => send(new Request(input, init)) }).write(
      {},
      { idempotencyKey: value },
    )
  } catch (error) {
    return mustFail ? undefined : `not written: ${error.message}`
  }
  return mustFail || written !== canonical[0] ? `written as ${written}` : undefined
}

export async function run([folder]) {
  const cases = createCases(reasons)
  const parsing = readTests(folder)
  const present = parsing.filter((test) => findAbsence(test) === undefined)
  const faults = new Map()
  await onEachAdapter(server, async (url, adapter) => {
    const found = await Promise.all(present.map((test) => findReadFault(url, test)))
    for (const [index, fault] of found.entries()) if (fault !== undefined) faults.set(present[index], `${adapter}: ${fault}`)
  })
  for (const test of parsing) {
    const name = `${test.file}: ${test.name}`
    const absence = findAbsence(test)
    if (absence === undefined) cases.add(name, faults.get(test))
    else cases.skip(name, absence)
  }
  const writable = parsing.filter((test) => !test.must_fail && findAbsence({ ...test, raw: undefined }) === undefined)
  for (const test of [...writable, ...readTests(join(folder, 'serialisation-tests'))]) {
    const name = `${test.file}, written: ${test.name}`
    const absence = findAbsence({ ...test, raw: undefined })
    if (absence === undefined) cases.add(name, await findWriteFault(test))
    else cases.skip(name, absence)
  }
  return cases.list()
}
