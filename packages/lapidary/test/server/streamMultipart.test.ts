/** Forms that a handler reads part by part: `multipartStream`. The same on every adapter, and nothing of a form is kept. */
import { mkdtempSync, readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import {
  array,
  endpoint,
  type FormPart,
  file,
  int,
  isHttpError,
  json,
  multipart,
  multipartStream,
  noContent,
  ok,
  optional,
  type ParameterRecord,
  text,
} from 'lapidary'
import { client } from 'lapidary/client'
import { type HttpHandler, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../support/client/deferred.ts'
import { exchange, listen, onBun } from '../support/matrix/adapters.ts'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { type MatrixRequest, post, type Row, refuses, respondsWith, json as respondsWithJson } from '../support/matrix/row.ts'
import { samples } from '../support/samples.ts'
import { connected } from '../support/sockets.ts'

/** Temporary files would be made here. */
const folder = mkdtempSync(join(tmpdir(), 'parts-'))
const usualFolder = process.env['TMPDIR']
beforeAll(() => {
  process.env['TMPDIR'] = folder
})
afterAll(() => {
  if (usualFolder === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = usualFolder
  expect(readdirSync(folder)).toEqual([])
})

const parts = {
  title: text,
  count: optional(int),
  tags: array(int, { minItems: 1, maxItems: 2 }),
  photo: optional(file({ maxSize: 600_000, types: ['image/*', 'text/plain'] })),
  notes: array(file({ maxSize: 5 }), { maxItems: 2 }),
}

async function collect<T>(values: AsyncIterable<T> | Iterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

/** The part as plain data, with the beginning of its file. */
async function describePart(part: FormPart<ParameterRecord>): Promise<unknown> {
  if ('value' in part) return [part.name, part.value]
  const { name, type } = part.file as { readonly name: string; readonly type: string }
  const bytes = Buffer.concat(await collect(part.file as AsyncIterable<Uint8Array>))
  return [part.name, { name, type, size: bytes.length, text: bytes.toString('latin1').slice(0, 20) }]
}

const form = multipartStream(parts)
const film = multipartStream({ title: optional(text), film: file() })
const api = {
  form: endpoint('POST /form', { body: form, response: ok(json) }),
  skipping: endpoint('POST /skipping', { body: form, response: ok(json) }),
  beginnings: endpoint('POST /beginnings', { body: form, response: ok(json) }),
  first: endpoint('POST /first', { body: form, response: ok(json) }),
  unread: endpoint('POST /unread', { body: form, response: noContent }),
  caught: endpoint('POST /caught', { body: form, response: ok(json) }),
  sum: endpoint('POST /sum', { body: film, response: ok(json), maxBodySize: '40 MB' }),
  limited: endpoint('POST /limited', { body: film, response: ok(json), maxBodySize: '1 MB' }),
}
const sum = async (body: AsyncIterable<FormPart<{ readonly film: ReturnType<typeof file> }> | { readonly name: 'title' }>) => {
  let total = 0
  let size = 0
  for await (const part of body) {
    if (part.name !== 'film') continue
    for await (const chunk of part.file) {
      size += chunk.length
      for (const byte of chunk) total += byte
    }
  }
  return { total, size }
}
const server = serve(api, {
  form: async ({ body }) => {
    const all: unknown[] = []
    for await (const part of body) all.push(await describePart(part))
    return all
  },
  skipping: async ({ body }) => {
    const names: string[] = []
    for await (const { name } of body) names.push(name)
    return names
  },
  beginnings: async ({ body }) => {
    const beginnings: unknown[] = []
    for await (const part of body) {
      if (!('file' in part)) continue
      for await (const chunk of part.file) {
        beginnings.push(chunk.length > 0)
        break
      }
    }
    return beginnings
  },
  first: async ({ body }) => {
    for await (const { name } of body) return name
    return null
  },
  unread: () => {},
  caught: async ({ body }) => {
    const errors: unknown[] = []
    try {
      for await (const part of body) {
        try {
          await describePart(part)
        } catch (error) {
          errors.push(isHttpError(error) && error.status)
        }
      }
    } catch (error) {
      errors.push(isHttpError(error) && error.status)
    }
    return errors
  },
  sum: ({ body }) => sum(body),
  limited: ({ body }) => sum(body),
})

const head = (disposition: string, ...lines: readonly string[]): string =>
  ['--b', `Content-Disposition: form-data; ${disposition}`, ...lines, '', ''].join('\r\n')
const part = (name: string, value: string): string => `${head(`name="${name}"`)}${value}\r\n`
const photo = (content: string, type = 'image/png', name = 'opal.png'): string =>
  `${head(`name="photo"; filename="${name}"`, `Content-Type: ${type}`)}${content}\r\n`
const note = (content: string): string => `${head('name="notes"; filename="a"')}${content}\r\n`
const needed = part('title', 'x') + part('tags', '7')
const end = '--b--\r\n'
const formType = 'multipart/form-data; boundary=b'
const send = (body: string | Uint8Array, path = '/form', type = formType): MatrixRequest => post(path, type, body)
const got = (...more: readonly unknown[]) => respondsWithJson([['title', 'x'], ['tags', 7], ...more])
const gotPhoto = (size: number, name = 'opal.png') => ['photo', { name, type: 'image/png', size, text: 'y'.repeat(Math.min(size, 20)) }]
const wrong = (name: string, detail: string) => refuses(400, { in: 'body', name, detail: `expected ${detail}` })
const malformed = (expected: string) => refuses(400, { in: 'body', detail: `expected ${expected}` })

const rows: readonly Row[] = [
  ['texts are decoded by their codecs', send(needed + part('count', '3') + end), got(['count', 3])],
  ['a list has a part for each value', send(needed + part('tags', '8') + end), got(['tags', 8])],
  [
    'parts come in the order of the client',
    send(photo('yy') + part('tags', '7') + part('title', 'x') + end),
    respondsWithJson([gotPhoto(2), ['tags', 7], ['title', 'x']]),
  ],
  ['a file has a name and a type', send(needed + photo('yyy') + end), got(gotPhoto(3))],
  ['a file can be empty', send(needed + photo('') + end), got(gotPhoto(0))],
  ['a path is cut to its last segment', send(needed + photo('y', 'image/png', '../../etc/passwd') + end), got(gotPhoto(1, 'passwd'))],
  [
    'a field of a browser without a file is no part',
    send(`${needed}${head('name="photo"; filename=""', 'Content-Type: application/octet-stream')}\r\n${end}`),
    got(),
  ],
  ['a file without a name has all its bytes', send(needed + photo('yyy', 'image/png', '') + end), got(gotPhoto(3, ''))],
  ['a file without a name has a type as well', send(needed + photo('yyy', 'application/pdf', '') + end), respondsWith(415)],
  ['a list of files has a part for each file', send(needed + note('1') + note('2') + end), respondsWith(200)],
  ['a part that is not declared is dropped', send(part('other', 'x'.repeat(10_000)) + needed + end), got()],
  [
    'a file that no handler reads is dropped',
    send(needed + photo('y'.repeat(500_000)) + end, '/skipping'),
    respondsWithJson(['title', 'tags', 'photo']),
  ],
  ['so is what is left of one', send(photo('y'.repeat(500_000)) + needed + note('1') + end, '/beginnings'), respondsWithJson([true, true])],
  ['a handler can leave after the first part', send(needed + photo('y'.repeat(500_000)) + end, '/first'), respondsWithJson('title')],
  ['behind it, nothing is checked', send(`${needed}nothing`, '/first'), respondsWithJson('title')],
  ['a form that no handler reads is dropped', send(needed + photo('y'.repeat(500_000)) + end, '/unread'), respondsWith(204)],
  // What is wrong with a part.
  [
    'missing parts are named',
    send(end),
    refuses(
      400,
      { in: 'body', name: 'title', detail: 'expected a value, got nothing' },
      { in: 'body', name: 'tags', detail: 'expected 1 to 2 values, got 0' },
    ),
  ],
  ['a missing file is named', send(end, '/sum'), wrong('film', 'a file, got nothing')],
  [
    'a text that its codec does not read',
    send(`${needed}${part('count', 'x')}${end}`),
    refuses(400, expect.objectContaining({ in: 'body', name: 'count' }) as object),
  ],
  ['a text that is not UTF-8', send(Buffer.from(part('title', '\xff') + end, 'latin1')), wrong('title', 'UTF-8 text')],
  ['a second value', send(needed + part('title', 'y') + end), wrong('title', 'one value, got 2')],
  ['a third value of two', send(needed + part('tags', '8') + part('tags', '9') + end), wrong('tags', '1 to 2 values, got 3')],
  ['a third file of two', send(needed + note('1').repeat(3) + end), wrong('notes', '0 to 2 values, got 3')],
  [
    'a file of another type',
    send(needed + photo('y', 'application/pdf') + end),
    refuses(415, { in: 'body', name: 'photo', detail: 'expected a file of type image/*, text/plain' }),
  ],
  [
    'a file that is too large',
    send(needed + photo('y'.repeat(600_001)) + end),
    refuses(413, { in: 'body', name: 'photo', detail: 'expected a file of at most 600000 bytes' }),
  ],
  ['a file that is too large, and not read', send(needed + photo('y'.repeat(600_001)) + end, '/skipping'), respondsWith(413)],
  ['a file at its limit', send(needed + photo('y'.repeat(600_000)) + end), respondsWith(200)],
  ['each file of a list has the limit', send(needed + note('123456') + end), respondsWith(413)],
  ['texts that are too large', send(part('title', 'x'.repeat(1_048_577)) + end), respondsWith(413)],
  ['a form that is too large', send(`${head('name="film"')}${'x'.repeat(1_000_000)}\r\n${end}`, '/limited'), respondsWith(413)],
  ['1,001 parts', send(part('x', '').repeat(1_001) + end), respondsWith(413)],
  // What is wrong with the form.
  ['no boundary', send(needed + end, '/form', 'multipart/form-data'), malformed('a Content-Type with a boundary of 1 to 70 characters')],
  ['another multipart type', send(needed + end, '/form', 'multipart/mixed; boundary=b'), respondsWith(415)],
  ['an empty body', send(''), malformed('the last boundary, with "--" after it')],
  ['a form that breaks off in a text', send(needed.slice(0, -2)), malformed('the last boundary, with "--" after it')],
  ['a form that breaks off in a file', send(`${needed}${photo('yyy').slice(0, -2)}`), malformed('the last boundary, with "--" after it')],
  ['the same, where no handler reads the file', send(`${needed}${photo('yyy').slice(0, -2)}`, '/skipping'), respondsWith(400)],
  ['a part without a name', send(`${head('x=y')}x\r\n${end}`), malformed('a part with Content-Disposition: form-data and a name')],
  [
    'an error that a handler has caught comes again: a form that has failed never looks complete',
    send(needed + photo('y'.repeat(600_001)) + end, '/caught'),
    respondsWithJson([413, 413]),
  ],
]

const fill = (size: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length: size }, (_, index) => (index * 31) % 251)

describeEachAdapter(server, (running) => {
  testRows(running, rows)

  test.each([0, 1, 70_000, 3_000_000])('a file of %i bytes arrives whole, and no file is made for it', async (size) => {
    const bytes = fill(size)
    const body = new FormData()
    body.append('film', new Blob([bytes]), 'a')
    const response = await running.fetch('/sum', { method: 'POST', body })
    expect(await response.json()).toEqual({ total: bytes.reduce((total, byte) => total + byte, 0), size })
    expect(readdirSync(folder)).toEqual([])
  })
})

/** Cuts bytes at these places. */
function cut(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const places = [...new Set([0, ...cuts.filter((place) => place < bytes.length), bytes.length])].sort((one, other) => one - other)
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place))
}

const postChunks = async (handler: typeof server, path: string, chunks: readonly Uint8Array[]): Promise<readonly [number, unknown]> => {
  const rest = chunks[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value } = rest.next()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
  })
  const request = new Request(`http://test.invalid${path}`, {
    method: 'POST',
    headers: { 'Content-Type': formType },
    body,
    duplex: 'half',
  } as RequestInit)
  const response = await handler.fetch(request)
  return [response.status, await response.json()]
}

describe('however a form is cut into chunks', () => {
  const pieces = fc.constantFrom(
    part('title', 'a\r\n--'),
    part('tags', '7'),
    part('count', 'seven'),
    part('other', '\r\n--c'),
    photo('\r\n--\r\r\n-b'),
    photo('', 'image/png', ''),
    photo('yy', 'application/pdf'),
    note('12345'),
    note('123456'),
    '\r\n--b',
    'x',
  )
  const forms = fc.tuple(fc.array(pieces, { maxLength: 6 }), fc.array(fc.nat(800), { maxLength: 12 }))

  test.each(['/form', '/skipping', '/beginnings', '/caught'])('a handler gets the same parts or the same error at %s', async (path) => {
    await fc.assert(
      fc.asyncProperty(forms, async ([texts, cuts]) => {
        const bytes = Buffer.from(needed + texts.join('') + end)
        const whole = await postChunks(server, path, [bytes])
        expect(whole[0]).toBeLessThan(500)
        expect(await postChunks(server, path, cut(bytes, cuts))).toEqual(whole)
        expect(
          await postChunks(
            server,
            path,
            Array.from(bytes, (byte) => Uint8Array.of(byte)),
          ),
        ).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  test('it has the parts of a form that is read as a whole, and its status', async () => {
    const whole = {
      form: endpoint('POST /form', { body: multipart(parts), response: ok(json) }),
    }
    const record = serve(whole, {
      form: async ({ body: { photo: picture, notes, tags, ...texts } }) => ({
        ...texts,
        tags,
        photo: picture && (await picture.text()),
        notes: await Promise.all(notes.map((one) => one.text())),
      }),
    })
    const streamed = serve(
      { form: api.form },
      {
        form: async ({ body }) => {
          const values: Record<string, unknown> = {}
          const [tags, notes]: [unknown[], unknown[]] = [[], []]
          for await (const one of body) {
            if (one.name === 'photo') values['photo'] = Buffer.concat(await collect(one.file)).toString()
            else if (one.name === 'notes') notes.push(Buffer.concat(await collect(one.file)).toString())
            else if (one.name === 'tags') tags.push(one.value)
            else values[one.name] = one.value
          }
          return { ...values, tags, notes }
        },
      },
    )
    await fc.assert(
      fc.asyncProperty(forms, async ([texts, cuts]) => {
        const chunks = cut(Buffer.from(needed + texts.join('') + end), cuts)
        const [status, value] = await postChunks(record, '/form', chunks)
        const [otherStatus, other] = await postChunks(streamed, '/form', chunks)
        // A form may have several faults. Read as a whole, it lists those of its texts at its end.
        if (status === 200) expect([otherStatus, other]).toEqual([status, value])
        else expect(otherStatus).toBeGreaterThanOrEqual(400)
        expect(otherStatus).toBeLessThan(500)
      }),
      { numRuns: samples(100) },
    )
  })
})

/** Resolves to what comes back as soon as it has a text. */
const readUntil = (socket: Socket, text: string): Promise<string> =>
  new Promise((resolve) => {
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      if (received.includes(text)) resolve(received)
    })
  })

/** Serves a form of one file over a socket. */
async function startForm(put: (body: AsyncIterable<FormPart<{ readonly film: ReturnType<typeof file> }>>) => unknown, size = 40_000_000) {
  const single = { put: endpoint('POST /', { body: multipartStream({ film: file() }), response: ok(json), maxBodySize: size }) }
  const errors: unknown[] = []
  const handler: HttpHandler = serve(single, { put: async ({ body }) => put(body) }, { onError: (error) => void errors.push(error) })
  const running = await listen(handler)
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  return { ...running, errors }
}

const filmHead = head('name="film"; filename="a"')
const filmEnd = `\r\n${end}`
const requestHead = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${formType}\r\nContent-Length: ${length}\r\n\r\n`

test('a slow handler pauses the client: what it does not read is not in memory', async () => {
  const size = 20_000_000
  const { opened, open } = gate()
  const running = await startForm(async (body) => {
    let read = 0
    for await (const { file: arriving } of body)
      for await (const chunk of arriving) {
        if (read === 0) await opened
        read += chunk.length
      }
    return read
  })
  const socket = await connected(running)
  const received = readUntil(socket, `\r\n\r\n${size}`)
  socket.write(`${requestHead(filmHead.length + size + filmEnd.length)}${filmHead}`)
  socket.write(Buffer.alloc(size))
  socket.write(filmEnd)
  for (let before = -1; before !== socket.writableLength; await sleep(200)) before = socket.writableLength
  // Bun reads more of a body before the handler asks for it.
  if (!onBun) expect(socket.writableLength).toBeGreaterThan(size / 4)
  open()
  expect(await received).toContain('HTTP/1.1 200 ')
})

test('a file that is too large is refused while it arrives', async () => {
  const limited = {
    put: endpoint('POST /', { body: multipartStream({ film: file({ maxSize: 10 }) }), response: noContent, maxBodySize: '1 GB' }),
  }
  const running = await listen(
    serve(limited, {
      put: async ({ body }) => {
        for await (const _ of body);
      },
    }),
  )
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  const socket = await connected(running)
  const received = readUntil(socket, 'HTTP/1.1 413 ')
  socket.write(`${requestHead(900_000_000)}${filmHead}01234567890`)
  await received
})

test('a client that leaves in the middle of a file rejects the loop', async () => {
  const failed = gate()
  const failures: unknown[] = []
  const { port } = await startForm(async (body) => {
    try {
      for await (const { file: arriving } of body) {
        await collect(arriving).catch((error: unknown) => failures.push(error))
      }
    } catch (error) {
      failures.push(error)
    }
    failed.open()
  })
  const socket = await connected({ port })
  socket.write(`${requestHead(1_000)}${filmHead}abc`)
  await sleep(50)
  socket.destroy()
  await failed.opened
  expect(failures.map((error) => isHttpError(error, 400))).toEqual([true, true])
})

test('the connection goes on behind a handler that has left the loop', async () => {
  const { port } = await startForm(async (body) => {
    for await (const { file: arriving } of body) for await (const chunk of arriving) return chunk.length > 0
    return false
  })
  const content = 'x'.repeat(2_000_000)
  const request = `${requestHead(filmHead.length + content.length + filmEnd.length)}${filmHead}${content}${filmEnd}`
  const last = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  const responses = await exchange({ port }, request, last)
  expect(responses.match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
})

const twoFilms = Buffer.from(`${filmHead}abc${filmEnd}`)
const films = multipartStream({ film: file(), more: array(file()) })

/** Reads a form in memory by a handler, and resolves to what it resolves to. */
async function readForm(
  put: (body: AsyncIterable<FormPart<{ film: ReturnType<typeof file>; more: ReturnType<typeof file> }>>) => unknown,
  body: Buffer = twoFilms,
) {
  let result: unknown
  const single = { put: endpoint('POST /', { body: films, response: noContent }) }
  const handler = serve(single, {
    put: async (input) => {
      result = await put(input.body as never)
    },
  })
  await handler.fetch(
    new Request('http://test.invalid/', { method: 'POST', headers: { 'Content-Type': formType }, body: new Uint8Array(body) }),
  )
  return result
}

const messageOf = (error: unknown): unknown => (error instanceof TypeError ? error.message : error)

describe('mistakes of a handler have a cure', () => {
  test('a file that is read after the loop', async () => {
    const message = await readForm(async (body) => {
      const all = await collect(body)
      return collect<unknown>(all[0]?.file ?? []).catch(messageOf)
    })
    expect(message).toBe(
      'The file "film" of a form can no longer be read: the handler has asked for the next part, or has left the loop. Read the file before the next step of the loop, or use multipart().',
    )
  })

  test('a file that is read on after the next part was asked for', async () => {
    const message = await readForm(async (body) => {
      const all = body[Symbol.asyncIterator]()
      const first = await all.next()
      const chunks = first.value.file[Symbol.asyncIterator]()
      await chunks.next()
      await all.next()
      return chunks.next().catch(messageOf)
    })
    expect(message).toContain('can no longer be read')
  })

  test('a file that is read twice', async () => {
    const message = await readForm(async (body) => {
      for await (const { file: arriving } of body) {
        await collect(arriving)
        return collect(arriving).catch(messageOf)
      }
      return undefined
    })
    expect(message).toBe('The file "film" of a form was already read, and its bytes are gone. Read it once, or use multipart().')
  })

  test('a list that can only be read as a whole', () => {
    expect(() => multipartStream({ tags: { ...text, repeats: true } })).toThrow(
      'multipartStream(): "tags" is a list that can only be read as a whole. Write array(…) of a codec, or use multipart().',
    )
  })

  test('a part without a codec', () => {
    expect(() => multipartStream({ title: undefined as never })).toThrow('multipartStream(): title is nothing, expected a codec.')
  })

  test.each([
    ['idempotent', { idempotent: 'required' }, 'has a stream or a form with files'],
    ['rawBody', { rawBody: true }, 'is not read as a whole'],
  ] as const)('%s', (_word, more, message) => {
    expect(() => endpoint('POST /', { body: form, response: noContent, ...more })).toThrow(message)
  })

  test('optional', () => {
    expect(() => optional(form as never)).toThrow('can be empty')
  })
})

test('the bytes of a file can be asked for all at once, and its first ones before the others', async () => {
  const bytes = Buffer.from(`${filmHead}abc\r\ndef${filmEnd}`)
  const result = await readForm(async (body) => {
    for await (const { file: arriving } of body) {
      const chunks = arriving[Symbol.asyncIterator]()
      const several = await Promise.all([chunks.next(), chunks.next(), chunks.next(), chunks.next()])
      return Buffer.concat(several.flatMap(({ value }) => (value === undefined ? [] : [value as Uint8Array]))).toString()
    }
    return undefined
  }, bytes)
  expect(result).toBe('abc\r\ndef')
})

describe('a client', () => {
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })

  test('sends a record, in the declared order', async () => {
    const body = { notes: [new Blob(['1'])], photo: new File(['yy'], 'opal.png', { type: 'image/png' }), tags: [1, 2], title: 'x' }
    expect(await call.form({ body })).toEqual([
      ['title', 'x'],
      ['tags', 1],
      ['tags', 2],
      gotPhoto(2),
      ['notes', { name: 'blob', type: 'application/octet-stream', size: 1, text: '1' }],
    ])
  })

  test('sends a FormData', async () => {
    const body = new FormData()
    body.append('tags', '7')
    body.append('title', 'x')
    expect(await call.form({ body })).toEqual([
      ['title', 'x'],
      ['tags', 7],
    ])
  })
})
