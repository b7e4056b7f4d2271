/** Upload progress, over sockets: in this process, where it counts what the connection takes, and in Chromium, by XMLHttpRequest. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { byteStream, bytes, endpoint, file, multipart, noContent, ok, reply, text } from 'lapidary'
import { ConnectionError, trackUpload, type UploadProgress } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { path, program, startBrowser } from '../../../../scripts/chromium.mjs'
import { clients } from '../support/client/clients.ts'

const size = 32 * 2 ** 20
const maxBodySize = 2 * size
const api = {
  photo: endpoint('POST /photos', { body: multipart({ title: text, photo: file() }), maxBodySize, response: ok(text) }),
  film: endpoint('PUT /film', { body: byteStream(), maxBodySize, response: ok(text), errors: [reply(409, text)] }),
  small: endpoint('PUT /small', { body: bytes, response: noContent }),
  greet: endpoint('GET /greet', { response: ok(text) }),
}

/** What the server has read of a film, and how it goes on where it stops. */
const reading = { stopsAt: Number.POSITIVE_INFINITY, received: 0, goOn: () => {} }
const server = serve(api, {
  photo: ({ body }) => `${body.title} ${body.photo.size}`,
  film: async ({ body, fail }) => {
    reading.received = 0
    for await (const chunk of body) {
      reading.received += chunk.length
      if (reading.received < reading.stopsAt) continue
      reading.stopsAt = Number.POSITIVE_INFINITY
      await new Promise<void>((resolve) => {
        reading.goOn = resolve
      })
    }
    return reading.received === 13 ? fail(409, { body: 'unlucky' }) : `${reading.received}`
  },
  small: () => {},
  greet: () => 'hello',
})
let running: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  running = await listen(server)
})
afterAll(() => running.close({ drain: 0, grace: 0 }))

/** A film as a stream. */
async function* createFilm(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size; sent += 65_536) yield new Uint8Array(65_536)
}

/** Waits until a number does not grow any more: the buffers of both ends are full. */
async function waitUntilStill(read: () => Promise<number>): Promise<number> {
  let before = -1
  const isStill = async (): Promise<boolean> => {
    const now = await read()
    const isSame = now === before
    before = now
    return isSame
  }
  await expect.poll(isStill, { interval: 300, timeout: 10_000 }).toBe(true)
  return before
}

describe.each(clients)('an upload by $kind', ({ createClient }) => {
  test('tells each chunk that the connection takes, for one call', async () => {
    const call = createClient(api, running.url)
    const progress: UploadProgress[] = []
    const fetch = trackUpload((one) => progress.push(one))
    expect(await call.film({ body: createFilm() }, { fetch })).toBe(`${size}`)
    expect(progress.length).toBeGreaterThan(100)
    expect(progress.at(-1)).toEqual({ loaded: size, total: undefined })
    expect(progress.map(({ loaded }) => loaded)).toEqual(progress.map(({ loaded }) => loaded).toSorted((one, other) => one - other))
    const count = progress.length
    await call.film({ body: createFilm() })
    expect(progress.length).toBe(count)
  })

  test('does not run ahead of a server that reads slowly', async () => {
    let loaded = 0
    reading.stopsAt = 2 ** 20
    const upload = createClient(api, running.url).film(
      { body: createFilm() },
      {
        fetch: trackUpload((progress) => {
          loaded = progress.loaded
        }),
      },
    )
    await expect.poll(() => reading.received, { timeout: 10_000 }).toBeGreaterThanOrEqual(2 ** 20)
    expect(await waitUntilStill(async () => loaded)).toBeLessThan(size / 2)
    reading.goOn()
    await upload
    expect(loaded).toBe(size)
  })

  test('has the responses and errors of fetch, and nothing to tell of a request without a body', async () => {
    const call = createClient(api, running.url)
    const progress: UploadProgress[] = []
    const fetch = trackUpload((one) => progress.push(one))
    expect(await call.greet(undefined, { fetch })).toBe('hello')
    expect(progress).toEqual([])
    await expect(call.film({ body: new Uint8Array(13) }, { fetch })).rejects.toThrow(/409/)
    expect(progress).toEqual([{ loaded: 13, total: undefined }])
    await expect(createClient(api, 'http://127.0.0.1:1').small({ body: new Uint8Array(3) }, { fetch })).rejects.toThrow(ConnectionError)
  })
})

/** What the page of the tests has. */
interface UploadPage {
  readonly upload: (name: 'film' | 'photo', bytes: number) => Promise<void>
  readonly progress: UploadProgress[]
  result: string
  readonly abort: () => void
}
declare const uploads: UploadPage

if (program === undefined) process.stdout.write(`There is no Chromium at ${path}: uploads in a browser are not tested.\n`)

describe.skipIf(program === undefined)('an upload in Chromium, by the light client', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `
          import { byteStream, client, multipart, none, plain, text, trackUpload } from 'lapidary/light'
          const routes = {
            photo: { route: 'POST /photos', body: multipart({ title: plain, photo: plain }), responses: [[200, text]] },
            film: { route: 'PUT /film', body: byteStream, responses: [[200, text]], errors: [[409, text]] },
          }
          const call = client(routes, '')
          let controller
          const state = {
            progress: [],
            result: '',
            abort: () => controller.abort(new Error('stopped')),
            upload: async (name, size) => {
              controller = new AbortController()
              state.progress.length = 0
              state.result = ''
              const file = new Blob([new Uint8Array(size)])
              const body = name === 'film' ? file : { title: 'opal', photo: file }
              const options = { signal: controller.signal, fetch: trackUpload((one) => state.progress.push(one)) }
              state.result = await call[name]({ body }, options).catch((error) => error.message)
            },
          }
          globalThis.uploads = state
        `,
        loader: 'ts',
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      write: false,
    })
    browser = await startBrowser()
    page = await browser.newPage()
    await page.goto(`${running.url}/greet`)
    await page.addScriptTag({ content: outputFiles.map(({ text }) => text).join('') })
  })
  afterAll(() => browser?.close())

  const start = (name: 'film' | 'photo', bytes: number) =>
    page.evaluate(([name, bytes]) => void uploads.upload(name, bytes), [name, bytes] as const)
  const read = () => page.evaluate(() => ({ progress: [...uploads.progress], result: uploads.result }))

  test('tells how much of the whole has been sent, and gets the response', async () => {
    await start('photo', 2 ** 20)
    await expect.poll(async () => (await read()).result, { timeout: 10_000 }).toBe(`opal ${2 ** 20}`)
    const { progress } = await read()
    const { loaded, total } = progress.at(-1) ?? expect.unreachable()
    // The form has boundaries as well.
    expect(total).toBeGreaterThan(2 ** 20)
    expect(loaded).toBe(total)
  })

  test('tells the bytes that were sent, and not those that were read: it waits for a server that reads slowly', async () => {
    reading.stopsAt = 2 ** 20
    await start('film', size)
    await expect.poll(() => reading.received, { timeout: 10_000 }).toBeGreaterThanOrEqual(2 ** 20)
    const loaded = async () => (await read()).progress.at(-1)?.loaded ?? 0
    const sent = await waitUntilStill(loaded)
    process.stdout.write(`Chromium: ${sent} bytes sent, ${reading.received} bytes received, of ${size}\n`)
    expect(sent).toBeLessThan(size / 2)
    reading.goOn()
    await expect.poll(async () => (await read()).result, { timeout: 10_000 }).toBe(`${size}`)
    expect(await loaded()).toBe(size)
  })

  test('has the errors of the server, and is cancelled', async () => {
    await start('film', 13)
    await expect.poll(async () => (await read()).result, { timeout: 10_000 }).toMatch(/409 Conflict/)
    reading.stopsAt = 2 ** 20
    await start('film', size)
    await expect.poll(() => reading.received, { timeout: 10_000 }).toBeGreaterThanOrEqual(2 ** 20)
    await page.evaluate(() => uploads.abort())
    await expect.poll(async () => (await read()).result, { timeout: 10_000 }).toBe('stopped')
    reading.goOn()
  })
})
