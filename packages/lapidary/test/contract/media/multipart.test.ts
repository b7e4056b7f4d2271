/** Forms with files: `multipart` and `file`. The same on every adapter; hostile forms get a clear 4xx, and leave nothing behind. */
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { array, endpoint, file, int, json, multipart, noContent, ok, operations, optional, text, type UploadedFile } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { encodeMultipart } from '../../../src/contract/media/multipart.ts'
import { type MultipartEvent, MultipartParser } from '../../../src/http/multipartParser.ts'
import { cpuTime } from '../../support/cpuTime.ts'
import { listen } from '../../support/matrix/adapters.ts'
import { describeEachAdapter, testRows } from '../../support/matrix/eachAdapter.ts'
import { type MatrixRequest, post, type Row, refuses, respondsWith, json as respondsWithJson } from '../../support/matrix/row.ts'
import { samples } from '../../support/samples.ts'
import { connected } from '../../support/sockets.ts'

/** Temporary files are made here, so that none can hide among those of others. */
const folder = mkdtempSync(join(tmpdir(), 'multipart-'))
const usualFolder = process.env['TMPDIR']
beforeAll(() => {
  process.env['TMPDIR'] = folder
})
afterAll(() => {
  if (usualFolder === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = usualFolder
})

/** The open files of this process below the folder, which have no name there. */
const listOpenFiles = (): readonly string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc/self/fd').flatMap((descriptor) => {
        try {
          const path = readlinkSync(`/proc/self/fd/${descriptor}`)
          return path.startsWith(folder) ? [path] : []
        } catch {
          return []
        }
      })
    : []

afterEach(async () => {
  expect(readdirSync(folder)).toEqual([])
  await expect.poll(listOpenFiles).toEqual([])
})

const describeFile = async (given: UploadedFile) => ({
  name: given.name,
  type: given.type,
  size: given.size,
  text: (await given.text()).slice(0, 20),
})

const photo = file({ maxSize: 600_000, types: ['image/*', 'text/plain'] })
const form = multipart({
  title: text,
  count: optional(int),
  tags: array(text),
  photo: optional(photo),
  notes: array(file(), { maxItems: 2 }),
})
let openFiles = 0
const api = {
  form: endpoint('POST /form', { body: form, response: ok(json) }),
  limited: endpoint('POST /limited', { body: multipart({ photo: file() }), response: noContent, maxBodySize: '1 MB' }),
  sum: endpoint('POST /sum', { body: multipart({ photo: file() }), response: ok(json), maxBodySize: '5 MB' }),
}
const server = serve(api, {
  form: async ({ body: { photo: picture, notes, ...texts } }) => ({
    ...texts,
    photo: picture && (await describeFile(picture)),
    notes: await Promise.all(notes.map(describeFile)),
  }),
  limited: () => {},
  sum: async ({ body: { photo: picture } }) => {
    openFiles = listOpenFiles().length
    let sum = 0
    for await (const chunk of picture.stream()) for (const byte of chunk) sum += byte
    const again = (await picture.bytes()).reduce((total, byte) => total + byte, 0)
    return { sum, again, size: picture.size }
  },
})

const head = (disposition: string, ...lines: readonly string[]): string =>
  [`Content-Disposition: form-data; ${disposition}`, ...lines, '', ''].join('\r\n')
const titled = (title: string): string => `--b\r\n${head('name="title"')}${title}\r\n`
/** A head of so many bytes, the blank line behind it included. */
const headOf = (length: number): string => head('name="title"', `X: ${'y'.repeat(length - head('name="title"', 'X: ').length)}`)
const end = '--b--\r\n'
const send = (body: string | Uint8Array, boundary = 'b', path = '/form'): MatrixRequest =>
  post(path, `multipart/form-data; boundary=${boundary}`, body)
const nothing = { title: 'x', tags: [], notes: [] }
const withPhoto = (disposition: string, content: string, ...lines: readonly string[]): MatrixRequest =>
  send(`${titled('x')}--b\r\n${head(`name="photo"${disposition}`, ...lines)}${content}\r\n${end}`)
const named = (fileName: string): MatrixRequest => withPhoto(`; filename="${fileName}"`, 'abc', 'Content-Type: image/png')
const namedPhoto = (name: string) => respondsWithJson({ ...nothing, photo: { name, type: 'image/png', size: 3, text: 'abc' } })
const malformed = (expected: string) => refuses(400, { in: 'body', detail: `expected ${expected}` })
const heads = 'a head of a part with lines such as Content-Disposition: form-data; name="title"'
const lineEnds = 'CR LF after each boundary, and "--" after the last one'
const lastBoundary = 'the last boundary, with "--" after it'
const boundaries = 'a Content-Type with a boundary of 1 to 70 characters'
const missingTitle = { in: 'body', name: 'title', detail: 'expected a value, got nothing' }

const rows: readonly Row[] = [
  [
    'texts are decoded by their codecs',
    send(`${titled('Opal')}--b\r\n${head('name="count"')}7\r\n${end}`),
    respondsWithJson({ ...nothing, title: 'Opal', count: 7 }),
  ],
  ['a text can be empty', send(titled('') + end), respondsWithJson({ ...nothing, title: '' })],
  ['a text keeps its line ends', send(titled('a\r\n\r\n--\n-b') + end), respondsWithJson({ ...nothing, title: 'a\r\n\r\n--\n-b' })],
  [
    'a list has all texts of its name',
    send(`${titled('x')}--b\r\n${head('name="tags"')}a\r\n--b\r\n${head('name=tags')}b\r\n${end}`),
    respondsWithJson({ ...nothing, tags: ['a', 'b'] }),
  ],
  ['a file has name, type and size', named('opal.png'), namedPhoto('opal.png')],
  ['a file needs no name', withPhoto('', 'abc', 'Content-Type: image/png'), namedPhoto('')],
  [
    'a field of a browser without a file is no file',
    withPhoto('; filename=""', '', 'Content-Type: application/octet-stream'),
    respondsWithJson(nothing),
  ],
  [
    'a list has all files of its name',
    send(`${titled('x')}--b\r\n${head('name="notes"; filename="a"')}1\r\n--b\r\n${head('name="notes"; filename="b"')}2\r\n${end}`),
    respondsWithJson({
      ...nothing,
      notes: [
        { name: 'a', type: '', size: 1, text: '1' },
        { name: 'b', type: '', size: 1, text: '2' },
      ],
    }),
  ],
  [
    'a part that is not declared is dropped',
    send(`${titled('x')}--b\r\n${head('name="other"; filename="a"')}abc\r\n${end}`),
    respondsWithJson(nothing),
  ],
  ['__proto__ is a name like any other', send(`${titled('x')}--b\r\n${head('name="__proto__"')}abc\r\n${end}`), respondsWithJson(nothing)],
  [
    'a preamble and an epilogue are dropped',
    send(`preamble\r\nof lines\r\n${titled('x')}${end}epilogue\r\n--b\r\n`),
    respondsWithJson(nothing),
  ],
  ['white space behind a boundary is dropped', send(`--b \t\r\n${head('name="title"')}x\r\n--b--`), respondsWithJson(nothing)],
  [
    'a boundary can have quotes and 70 characters',
    send(`--${'a'.repeat(69)}?\r\n${head('name="title"')}x\r\n--${'a'.repeat(69)}?--`, `"${'a'.repeat(69)}?"`),
    respondsWithJson(nothing),
  ],
  // File names.
  ['a path is cut to its last segment', named('../../etc/passwd'), namedPhoto('passwd')],
  ['so is a path of Windows', named('C:\\fakepath\\opal.png'), namedPhoto('opal.png')],
  ['two dots are no name', named('..'), namedPhoto('')],
  ['a quote can be percent-encoded', named('a%22b'), namedPhoto('a"b')],
  ['a quote can have a backslash', named('a\\"b'), namedPhoto('a"b')],
  ['control characters of a name are dropped', named('a%0D%0Ab'), namedPhoto('ab')],
  ['so are a tab, and those beyond ASCII', named('a\tb\u0085'), namedPhoto('ab')],
  ['another percent sign stands for itself', named('100%.png'), namedPhoto('100%.png')],
  ['a name is UTF-8', named('Öpal 💎.png'), namedPhoto('Öpal 💎.png')],
  // What is wrong with a part.
  ['a missing part is named', send(`--b\r\n${head('name="tags"')}a\r\n${end}`), refuses(400, missingTitle)],
  ['no parts at all', send(end), refuses(400, missingTitle)],
  [
    'a text that its codec does not read',
    send(`${titled('x')}--b\r\n${head('name="count"')}seven\r\n${end}`),
    refuses(400, { in: 'body', name: 'count', detail: expect.stringMatching(/^expected an integer/) as unknown as string }),
  ],
  [
    'a text that is not UTF-8',
    send(Buffer.from(`${titled('\xff')}${end}`, 'latin1')),
    refuses(400, { in: 'body', name: 'title', detail: 'expected UTF-8 text' }),
  ],
  [
    'a second value',
    send(titled('x') + titled('y') + end),
    refuses(400, { in: 'body', name: 'title', detail: 'expected one value, got 2' }),
  ],
  [
    'a third file of two',
    send(`--b\r\n${head('name="notes"')}1\r\n`.repeat(3) + end),
    refuses(400, { in: 'body', name: 'notes', detail: 'expected 0 to 2 values, got 3' }),
  ],
  [
    'a file of another type',
    withPhoto('; filename="a"', 'abc', 'Content-Type: application/pdf'),
    refuses(415, { in: 'body', name: 'photo', detail: 'expected a file of type image/*, text/plain' }),
  ],
  ['a file without a type', withPhoto('; filename="a"', 'abc'), respondsWith(415)],
  [
    'a file that is too large',
    withPhoto('; filename="a"', 'x'.repeat(600_001), 'Content-Type: image/png'),
    refuses(413, { in: 'body', name: 'photo', detail: 'expected a file of at most 600000 bytes' }),
  ],
  ['a file at its limit', withPhoto('; filename="a"', 'x'.repeat(600_000), 'Content-Type: image/png'), respondsWith(200)],
  ['texts that are too large', send(titled('x'.repeat(1_048_577)) + end), respondsWith(413)],
  // What is wrong with the form.
  ['no boundary', post('/form', 'multipart/form-data', titled('x') + end), malformed(boundaries)],
  ['a boundary of 71 characters', send(end, 'a'.repeat(71)), malformed(boundaries)],
  ['a boundary of other characters', send(end, '"a\\"b"'), malformed(boundaries)],
  ['another multipart type', post('/form', 'multipart/mixed; boundary=b', titled('x') + end), respondsWith(415)],
  ['an empty body', send(''), malformed(lastBoundary)],
  ['a body without a boundary in it', send('x'.repeat(1_000)), malformed(lastBoundary)],
  ['another boundary', send(titled('x') + end, 'c'), malformed(lastBoundary)],
  ['a missing last boundary', send(titled('x')), malformed(lastBoundary)],
  ['a part that never ends', send(titled('x').slice(0, -2)), malformed(lastBoundary)],
  ['a head that never ends', send(`--b\r\n${'X: y\r\n'.repeat(2_000)}`), malformed('a head of at most 8192 bytes for each part')],
  ['a head at its limit', send(`--b\r\n${headOf(8_192)}x\r\n${end}`), respondsWithJson(nothing)],
  ['a head above its limit', send(`--b\r\n${headOf(8_193)}x\r\n${end}`), malformed('a head of at most 8192 bytes for each part')],
  ['lines that end with LF alone', send((titled('x') + end).replaceAll('\r', '')), malformed(lineEnds)],
  ['heads that end with LF alone', send(`--b\r\n${head('name="title"').replaceAll('\r', '')}x\r\n${end}`), respondsWith(400)],
  ['a boundary with more behind it', send(`--bc\r\n${head('name="title"')}x\r\n${end}`), malformed(lineEnds)],
  ['a part without a head', send(`--b\r\n\r\nx\r\n${end}`), malformed('a part with Content-Disposition: form-data and a name')],
  ['a part without a name', send(`--b\r\n${head('x=y')}x\r\n${end}`), malformed('a part with Content-Disposition: form-data and a name')],
  [
    'a part with two names',
    send(`--b\r\n${head('name="title"; name="count"')}x\r\n${end}`),
    malformed('a part with Content-Disposition: form-data and a name'),
  ],
  [
    'a part with a long name',
    send(`--b\r\n${head(`name="${'a'.repeat(257)}"`)}x\r\n${end}`),
    malformed('a name of at most 256 characters'),
  ],
  ['a part with a line break in its name', send(`--b\r\n${head('name="ti\r\ntle"')}x\r\n${end}`), malformed(heads)],
  ['a folded line', send(`--b\r\n${head('name="title"', ' x="y"')}x\r\n${end}`), malformed(heads)],
  [
    'a part in base64',
    send(`--b\r\n${head('name="title"', 'Content-Transfer-Encoding: base64')}eA==\r\n${end}`),
    malformed('a part without Content-Transfer-Encoding'),
  ],
  ['10,000 parts', send(`--b\r\n${head('name="x"')}\r\n`.repeat(10_000) + end), respondsWith(413)],
  ['a form in a form is the content of a part', send(titled(`--c\r\n${head('name="title"')}y\r\n--c--`) + end), respondsWith(200)],
]

describeEachAdapter(server, (running) => {
  testRows(running, rows)

  test.each([0, 1, 70_000, 300_000, 3_000_000])('a file of %i bytes arrives whole, and is read twice', async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31) % 251)
    const body = new FormData()
    body.append('photo', new Blob([bytes]), 'a')
    const sum = bytes.reduce((total, byte) => total + byte, 0)
    const response = await running.fetch('/sum', { method: 'POST', body })
    expect(await response.json()).toEqual({ sum, again: sum, size })
    if (process.platform === 'linux') expect(openFiles).toBe(size > 262_144 ? 1 : 0)
  })
})

test('a form that breaks off in any place is refused, or waits for the rest', () => {
  const body = new TextEncoder().encode(
    `pre\r\n${titled('a\r\n-')}--b\r\n${head('name="f"; filename="x"', 'Content-Type: image/png')}\r\r\n\r\n--c\r\n${end}`,
  )
  const whole = parse([body])
  expect(whole.at(-1)).not.toContain('error')
  // The two dashes behind the last boundary are its end.
  for (let length = 0; length < body.length - 2; length += 1) expect(parse([body.subarray(0, length)]).at(-1)).toContain('error')
})

/** The events of a body, with the data of each part as one text. */
function parse(chunks: readonly Uint8Array[], boundary = 'b'): readonly string[] {
  const parser = new MultipartParser(boundary)
  const events: string[] = []
  let data = ''
  const record = (event: MultipartEvent): void => {
    if (event.kind === 'data') data += Buffer.from(event.bytes).toString('latin1')
    else {
      events.push(JSON.stringify([data, event]))
      data = ''
    }
  }
  for (const chunk of chunks) for (const event of parser.push(chunk)) record(event)
  for (const event of parser.finish()) record(event)
  return events
}

test('the borders of chunks change nothing', () => {
  const pieces = fc.constantFrom(
    '\r',
    '\n',
    '\r\n',
    '-',
    '--',
    '--b',
    '\r\n--b',
    '\r\n--b--',
    '\r\n--b\r\n',
    head('name="a"'),
    'x',
    '\r\n--',
    'bb',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 20 }), (texts, cuts) => {
      const body = Buffer.from(`--b\r\n${head('name="a"')}${texts.join('')}`)
      const places = [...new Set([0, ...cuts.filter((cut) => cut < body.length), body.length])].sort((one, other) => one - other)
      const chunks = places.slice(1).map((place, index) => body.subarray(places[index], place))
      const bytewise = Array.from(body, (byte) => Uint8Array.of(byte))
      expect(parse(chunks)).toEqual(parse([body]))
      expect(parse(bytewise)).toEqual(parse([body]))
    }),
    { numRuns: samples(500) },
  )
})

test('what a client sends, a handler gets', async () => {
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        title: fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed()),
        tags: fc.array(fc.constantFrom('', 'a', '\r\n', '\n--b', '"')),
        content: fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'b') }),
      }),
      async ({ title, tags, content }) => {
        const sent = new File([content], 'a "b".txt', { type: 'text/plain' })
        const got = await call.form({ body: { title, tags, photo: sent } })
        expect(got).toEqual({
          title,
          tags,
          notes: [],
          photo: { name: 'a "b".txt', type: 'text/plain', size: content.length, text: content.slice(0, 20) },
        })
      },
    ),
    { numRuns: samples(60) },
  )
})

test('a form is written as browsers write it: line breaks and quotes of names are percent-encoded', async () => {
  const written = encodeMultipart(
    [
      ['a"\r\nb\rc\nd', 'x'],
      ['e', new File(['y'], 'f"\n.txt', { type: 'text/plain' })],
      ['g', new Blob(['z'])],
    ],
    'b',
  )
  expect(written.type).toBe('multipart/form-data; boundary=b')
  expect(await written.text()).toBe(
    [
      '--b\r\nContent-Disposition: form-data; name="a%22%0D%0Ab%0D%0Ac%0D%0Ad"\r\n\r\nx\r\n',
      '--b\r\nContent-Disposition: form-data; name="e"; filename="f%22%0A.txt"\r\nContent-Type: text/plain\r\n\r\ny\r\n',
      '--b\r\nContent-Disposition: form-data; name="g"; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\nz\r\n',
      '--b--\r\n',
    ].join(''),
  )
})

test('1 GB to a limit of 1 MB is refused early', async () => {
  const running = await listen(server)
  try {
    const socket = await connected(running)
    const type = 'Content-Type: multipart/form-data; boundary=b'
    socket.write(`POST /limited HTTP/1.1\r\nHost: a\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const first = `--b\r\n${head('name="photo"; filename="a"')}`
    socket.write(`${first.length.toString(16)}\r\n${first}\r\n`)
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
    let sent = 0
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    while (sent < 1_000_000_000 && received === '') {
      sent += chunk.length
      if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve))
      await new Promise(setImmediate)
    }
    expect(received).toContain('HTTP/1.1 413 ')
    expect(sent).toBeLessThan(20_000_000)
    socket.destroy()
  } finally {
    await running.close({ drain: 0, grace: 0 })
  }
})

test('a client that leaves in the middle of a file leaves nothing behind', async () => {
  const running = await listen(server)
  const socket = await connected(running)
  const type = 'Content-Type: multipart/form-data; boundary=b'
  socket.write(`POST /sum HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 4000000\r\n\r\n--b\r\n${head('name="photo"')}`)
  socket.write(Buffer.alloc(2_000_000))
  if (process.platform === 'linux') await expect.poll(() => listOpenFiles().length).toBe(1)
  socket.destroy()
  await expect.poll(() => listOpenFiles().length).toBe(0)
  await running.close({ drain: 0, grace: 0 })
})

test('a form may have all files of a list, each as large as it is declared', async () => {
  const notes = array(file({ maxSize: '2 kB' }), { maxItems: 3 })
  const listed = { put: endpoint('POST /', { body: multipart({ notes }), response: noContent }) }
  const call = client(listed, 'http://test.invalid', { fetch: serve(listed, { put: () => {} }, { maxBodySize: '1 kB' }).fetch })
  await expect(call.put({ body: { notes: Array.from({ length: 3 }, () => new Blob(['x'.repeat(2_000)])) } })).resolves.toBeUndefined()
})

test('the files of a list count together: for the number of the list, and for the size of the body', async () => {
  const put = endpoint('POST /', {
    body: multipart({ notes: array(file({ maxSize: '2 kB' }), { maxItems: 3 }) }),
    response: noContent,
    maxBodySize: '5 kB',
  })
  const call = client({ put }, 'http://test.invalid', { fetch: serve({ put }, { put: () => {} }).fetch })
  const send = (count: number, size: number) =>
    call.put({ body: { notes: Array.from({ length: count }, () => new Blob(['x'.repeat(size)])) } }).then(
      () => 204,
      ({ status, errors }) => [status, errors?.[0]?.detail],
    )
  expect(await send(3, 1_000)).toBe(204)
  // Each is within its own limit.
  expect(await send(3, 2_000)).toEqual([413, undefined])
  expect(await send(1, 2_001)).toEqual([413, 'expected a file of at most 2000 bytes'])
  const form4 = new FormData()
  for (let index = 0; index < 4; index += 1) form4.append('notes', new Blob(['x']), 'a')
  const refused = await serve({ put }, { put: () => {} }).fetch(new Request('http://test.invalid/', { method: 'POST', body: form4 }))
  expect(await refused.json()).toMatchObject({ status: 400, errors: [{ name: 'notes', detail: 'expected 0 to 3 values, got 4' }] })
})

test('a list of files may have any number of them, where the body has a size or a file has none', () => {
  for (const [part, more] of [
    [array(file({ maxSize: '5 MB' })), { maxBodySize: '20 MB' }],
    [array(file()), {}],
    [file({ maxSize: '5 MB' }), {}],
  ] as const) {
    const put = endpoint('POST /', { body: multipart({ part }), response: noContent, ...more })
    expect(() => serve({ put }, { put: () => {} })).not.toThrow()
  }
})

test('a file ends with its request', async () => {
  let kept: UploadedFile | undefined
  const single = { put: endpoint('POST /', { body: multipart({ photo: file() }), response: noContent }) }
  const keeping = serve(single, {
    put: ({ body }) => {
      kept = body.photo
    },
  })
  const body = new FormData()
  body.append('photo', new Blob(['abc']), 'a')
  await keeping.fetch(new Request('http://test.invalid/', { method: 'POST', body }))
  await expect(kept?.text()).rejects.toThrow('The request has ended, so its files no longer exist.')
})

test('a file that is read while its request ends leaves nothing behind', async () => {
  let reading: Promise<unknown> | undefined
  const single = { put: endpoint('POST /', { body: multipart({ photo: file() }), response: noContent }) }
  const careless = serve(single, {
    put: ({ body }) => {
      if (process.platform === 'linux') expect(listOpenFiles()).toHaveLength(1)
      reading = body.photo.bytes()
      reading.catch(() => {})
    },
  })
  const body = new FormData()
  body.append('photo', new Blob([new Uint8Array(1_000_000)]), 'a')
  const { status } = await careless.fetch(new Request('http://test.invalid/', { method: 'POST', body }))
  expect(status).toBe(204)
  await expect(reading).rejects.toThrow('The request has ended, so its files no longer exist.')
  await expect.poll(listOpenFiles).toEqual([])
})

test.each([
  ['blanks', ' '.repeat(8_000)],
  ['tabs', '\t'.repeat(8_000)],
  ['blanks before a text', `${' '.repeat(4_000)}${'x'.repeat(4_000)}`],
])('the head of a part is read once, with %s in front of a control character as well', (_what, value) => {
  const head = new TextEncoder().encode(`--b\r\nX:${value}\u0001\r\n\r\n`)
  const run = (): void => {
    for (let count = 0; count < 10; count += 1)
      expect([...new MultipartParser('b').push(head)]).toEqual([{ kind: 'error', expected: heads }])
  }
  expect(cpuTime(run)).toBeLessThan(100)
})

describe('mistakes', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a file in a query',
      () => operations({ a: endpoint('GET /', { query: { photo: optional(file()) }, response: noContent }) }),
      'GET /: query.photo is a file. Only a form has files: write body: multipart({ … }).',
    ],
    [
      'a file in a header',
      () => operations({ a: endpoint('GET /', { headers: { 'X-Photo': file() as never }, response: noContent }) }),
      'GET /: headers.X-Photo is a file. Only a form has files: write body: multipart({ … }).',
    ],
    [
      'a file in a cookie',
      () => operations({ a: endpoint('GET /', { cookies: { photo: file() as never }, response: noContent }) }),
      'GET /: cookies.photo is a file. Only a form has files: write body: multipart({ … }).',
    ],
    ...['*/*', 'image', 'image/', '/png', 'image/*png', 'image/png;a=b', ''].map((type): [string, () => unknown, string] => [
      `the type ${JSON.stringify(type)}`,
      () => file({ types: ['image/png', type] }),
      `file(): "${type}" is not a media type. Write it in lower case and without parameters: image/png, or image/* for all images.`,
    ]),
    [
      'an unknown option of a file',
      () => file({ size: 1 } as never),
      'file() has the unknown option "size". Use one of maxSize, types, description.',
    ],
    ...Object.entries({ nothing: undefined, 'an object': {}, 'a string': 'text', 'a schema': z.string(), 'a body': form }).map(
      ([what, part]): [string, () => unknown, string] => [
        `a part that is ${what}`,
        () => multipart({ title: part as never }),
        `multipart(): title is ${what}, expected a codec. Write int, text, optional(text) or codec({ … }). Schemas can describe only the bodies and the parameters of a request.`,
      ],
    ),
    [
      'a type in upper case',
      () => file({ types: ['Image/PNG'] }),
      'file(): "Image/PNG" is not a media type. Write it in lower case and without parameters: image/png, or image/* for all images.',
    ],
    ['a size without a unit', () => file({ maxSize: '5' as '5 B' }), expect.stringContaining('file()') as unknown as string],
  ])('%s', (_mistake, declare, sentence) => {
    expect(declare).toThrow(expect.objectContaining({ name: 'TypeError', message: sentence }))
  })
})
