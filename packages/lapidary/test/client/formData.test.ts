/** A `FormData` as the body of a call, also that of a form on a page. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { array, byteStream, endpoint, file, form, int, json, multipart, ok, optional, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { program, startBrowser } from '../../../../scripts/chromium.mjs'
import { clients } from '../support/client/clients.ts'
import { thrown } from '../support/client/thrownError.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const photo = multipart({ title: text, count: optional(int), photo: file(), notes: array(file()), cover: optional(file()) })
  const api = {
    photo: endpoint('POST /photo', { body: photo, response: ok(json) }),
    pairs: endpoint('POST /pairs', { body: form, response: ok(json) }),
    size: endpoint('PUT /size', { body: byteStream(), response: ok(json) }),
  }
  const server = serve(api, {
    photo: async ({ body }) => ({
      ...body,
      photo: [body.photo.name, await body.photo.text()],
      notes: body.notes.map(({ name }) => name),
      cover: body.cover?.name,
    }),
    pairs: ({ body }) => body,
    size: async ({ body }, request) => {
      let size = 0
      for await (const chunk of body) size += chunk.length
      return { size, length: request.header('content-length') ?? 'none' }
    },
  })
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })

  function filled(...pairs: readonly (readonly [name: string, value: string | Blob])[]): FormData {
    const data = new FormData()
    for (const [name, value] of pairs) {
      if (typeof value === 'string') data.append(name, value)
      else data.append(name, value)
    }
    return data
  }
  const title = ['title', 'Opal "1"'] as const
  const picture = ['photo', new File(['abc'], 'opal.png', { type: 'image/png' })] as const

  test('the handler gets the declared parts, decoded', async () => {
    const body = filled(title, ['count', '7'], picture, ['notes', new File([], 'a.txt')], ['notes', new File([], 'b.txt')], ['token', 'x'])
    expect(await call.photo({ body })).toEqual({ title: 'Opal "1"', count: 7, photo: ['opal.png', 'abc'], notes: ['a.txt', 'b.txt'] })
  })

  test('parts that can be absent can be absent', async () => {
    expect(await call.photo({ body: filled(title, picture) })).toEqual({ title: 'Opal "1"', photo: ['opal.png', 'abc'], notes: [] })
  })

  test.skipIf(isLight).each<[what: string, body: FormData, message: string]>([
    ['a missing part', filled(title), 'The FormData has no "photo". Append it, or declare it as optional.'],
    [
      'a text in place of a file',
      filled(title, ['photo', 'abc']),
      '"photo" of the FormData is a text, expected a file. Append a File or a Blob.',
    ],
    [
      'a file in place of a text',
      filled(['title', new File([], 'a')], picture),
      '"title" of the FormData is a file, expected a text. Append a string.',
    ],
  ])('%s is a TypeError, and nothing is sent', async (_what, body, message) => {
    const error = await thrown(() => client(api, 'http://test.invalid', { fetch: () => expect.unreachable() }).photo({ body }))
    expect(error).toMatchObject({ name: 'TypeError', message: `POST /photo cannot be called with this input: ${message}` })
  })

  test('a text that its codec does not read is answered 400', async () => {
    expect(await thrown(() => call.photo({ body: filled(title, ['count', 'many'], picture) }))).toMatchObject({
      status: 400,
      errors: [{ in: 'body', name: 'count' }],
    })
  })

  test.skipIf(isLight)('a form without files takes one, too', async () => {
    expect(await call.pairs({ body: filled(['a', '1'], ['a', '2 &'], ['b', '']) })).toEqual({ a: ['1', '2 &'], b: [''] })
    expect(await thrown(() => call.pairs({ body: filled(picture) }))).toMatchObject({ name: 'TypeError' })
  })

  const page = `
  import { array, byteStream, endpoint, file, form, int, json, multipart, ok, optional, text } from 'lapidary'
  import { client } from 'lapidary/client'
  const photo = multipart({ title: text, count: optional(int), photo: file(), notes: array(file()), cover: optional(file()) })
  const api = {
    photo: endpoint('POST /photo', { body: photo, response: ok(json) }),
    pairs: endpoint('POST /pairs', { body: form, response: ok(json) }),
    size: endpoint('PUT /size', { body: byteStream(), response: ok(json) }),
  }
  const call = client(api, location.origin)
  const show = (result) => { document.querySelector('output').textContent += JSON.stringify(result) + '\\n' }
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    show(await call.photo({ body: new FormData(event.target) }))
    show(await call.size({ body: event.target.elements.photo.files[0] }))
    async function* chunks() { yield Uint8Array.of(1); yield Uint8Array.of(2, 3) }
    show(await call.size({ body: chunks() }))
  })
`

  test.skipIf(program === undefined)(
    'in Chromium, a form of a page goes straight in, and a stream is collected',
    { timeout: 60_000 },
    async () => {
      const { outputFiles } = await build({
        stdin: { contents: page, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
        bundle: true,
        format: 'esm',
        platform: 'browser',
        write: false,
      })
      const html = `<!doctype html><form><input name=title><input name=photo type=file><input name=cover type=file><button>Send</button></form><output></output><script type=module>${outputFiles[0]?.text}</script>`
      const running = await listen((request) =>
        request.target === '/' ? { status: 200, headers: ['Content-Type', 'text/html'], body: html } : server(request),
      )
      onTestFinished(() => running.close({ drain: 0, grace: 0 }))
      const chromium = await startBrowser()
      onTestFinished(() => chromium.close())
      const window = await (await chromium.newContext()).newPage()
      const faults: string[] = []
      window.on('pageerror', (error) => faults.push(error.message))
      await window.goto(running.url)
      await window.fill('[name=title]', 'Öpal')
      await window.setInputFiles('[name=photo]', { name: 'opal.png', mimeType: 'image/png', buffer: Buffer.from('abcd') })
      await window.click('button')
      await window.waitForFunction(() => document.querySelector('output')?.textContent?.split('\n').length === 4)
      const shown = await window.locator('output').textContent()
      expect(
        shown
          ?.trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([
        { title: 'Öpal', photo: ['opal.png', 'abcd'], notes: [] },
        { size: 4, length: '4' },
        { size: 3, length: '3' },
      ])
      expect(faults).toEqual([])
    },
  )
})
