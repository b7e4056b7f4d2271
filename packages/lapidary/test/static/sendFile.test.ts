/** `sendFile`: which file it finds, and that each file is closed, also where its response fails. */
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { download, endpoint, type FileSource, ok, reply } from 'lapidary'
import { serve } from 'lapidary/server'
import { sendFile } from 'lapidary/static'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRequest } from '../support/httpRequest.ts'
import { listen } from '../support/matrix/adapters.ts'
import { connected } from '../support/sockets.ts'

const home = mkdtempSync(join(tmpdir(), 'lapidary-sendFile-'))
const root = join(home, 'root')
/** More than sockets buffer. */
const largeSize = 20_000_000
const single = { it: endpoint('GET /', { response: ok(download('text/plain')), errors: [reply(404)] }) }

beforeAll(() => {
  mkdirSync(root)
  for (const name of ['report.pdf', 'noExtension', '.env']) writeFileSync(join(root, name), name)
  writeFileSync(join(home, 'secret.txt'), 'secret')
  symlinkSync('../secret.txt', join(root, 'out.txt'))
})
afterAll(() => rmSync(home, { recursive: true }))

/** A file of its own for one test. */
function createFile(size: number): string {
  const path = join(mkdtempSync(join(home, 'own-')), 'own.txt')
  writeFileSync(path, Buffer.alloc(size, 'x'))
  return path
}

const openFiles = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(home) ? [path] : []
    } catch {
      return [] // the descriptor that listed the folder
    }
  })
const expectNoOpenFile = (): Promise<void> => vi.waitFor(() => expect(openFiles()).toEqual([]), { timeout: 5_000 })

describe('a file is closed', () => {
  const send = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET', signal?: AbortSignal) => {
    const handler = serve(single, { it: async ({ fail }) => (await sendFile(path)) ?? fail(404) }, { onError: () => {} })
    return handler({ ...createRequest('/', headers, method), ...(signal && { signal }) })
  }

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['HEAD', {}, 'HEAD'],
    ['304', { 'if-none-match': '*' }, 'GET'],
    ['412', { 'if-match': '"x"' }, 'GET'],
    ['416', { range: 'bytes=99999999-' }, 'GET'],
  ])('after %s', async (_sentence, headers, method) => {
    await send(createFile(1_000), headers, method)
    expect(openFiles()).toEqual([])
  })

  test('after its last byte, and on return()', async () => {
    for (const isWhole of [true, false]) {
      const { body } = await send(createFile(200_000))
      const stream = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
      expect(openFiles()).toHaveLength(1)
      if (isWhole) while ((await stream.next()).done !== true);
      else await stream.return?.()
      expect(openFiles()).toEqual([])
    }
  })

  test('where the request was aborted before the response', async () => {
    const controller = new AbortController()
    controller.abort(new DOMException('left', 'AbortError'))
    await Promise.resolve(send(createFile(200_000), {}, 'GET', controller.signal)).catch(() => undefined)
    await expectNoOpenFile()
  })

  test('where it was opened too late for its response', async () => {
    const path = createFile(200_000)
    const limited = { it: endpoint('GET /', { response: ok(download('text/plain')), timeout: 20 }) }
    const opened: (readonly string[])[] = []
    const late = async (): Promise<FileSource> => {
      const file = (await sendFile(path)) as FileSource
      const open: FileSource['open'] = async () => {
        await new Promise((resolve) => setTimeout(resolve, 60))
        const representation = await file.open()
        opened.push(openFiles())
        return representation
      }
      return { ...file, open }
    }
    const here = await listen(serve(limited, { it: late }, { onError: () => {} }))
    onTestFinished(() => here.close({ drain: 0, grace: 0 }))
    expect((await fetch(here.url)).status).toBe(503)
    await vi.waitFor(() => expect(opened).toEqual([[path]]), 10_000)
    await expectNoOpenFile()
  })

  test('where the handler fails after it has found it', async () => {
    const path = createFile(1_000)
    const handler = serve(
      single,
      {
        it: async () => {
          await sendFile(path)
          throw new Error('later')
        },
      },
      { onError: () => {} },
    )
    expect((await handler(createRequest('/'))).status).toBe(500)
    expect(openFiles()).toEqual([])
  })
})

describe('over a socket', () => {
  async function listening(it: () => Promise<unknown>, onError: (error: unknown) => void = () => {}) {
    const here = await listen(serve(single, { it } as never, { onError }))
    onTestFinished(() => here.close({ drain: 0, grace: 0 }))
    return here
  }

  test('a client that leaves closes the file', async () => {
    const path = createFile(largeSize)
    const here = await listening(() => sendFile(path))
    const socket = await connected(here)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, 'data')
    socket.pause()
    expect(openFiles()).toHaveLength(1)
    socket.destroy()
    await expectNoOpenFile()
  })

  test.each<[string, (path: string) => void, number, string]>([
    ['removed', (path) => rmSync(path), 404, ''],
    ['truncated', (path) => truncateSync(path, 10), 200, 'x'.repeat(10)],
    ['longer', (path) => appendFileSync(path, 'yy'), 200, `${'x'.repeat(100)}yy`],
  ])('a file that is %s after the handler has found it is sent as it is', async (_what, change, status, body) => {
    const path = createFile(100)
    const { url } = await listening(async () => {
      const file = await sendFile(path)
      change(path)
      return file
    })
    const response = await fetch(url)
    const sent = await response.text()
    expect(response.status).toBe(status)
    expect(sent).not.toContain(home)
    if (status === 200) expect([sent, response.headers.get('Content-Length')]).toEqual([body, `${body.length}`])
  })

  test('a file that becomes shorter while it is sent cuts the connection, and is reported', async () => {
    const path = createFile(largeSize)
    const errors: unknown[] = []
    const { url } = await listening(
      () => sendFile(path),
      (error) => errors.push(error),
    )
    const response = await fetch(url)
    expect(response.headers.get('Content-Length')).toBe(`${largeSize}`)
    truncateSync(path, 10)
    await expect(response.arrayBuffer()).rejects.toThrow()
    await vi.waitFor(() => expect(String(errors[0])).toMatch(/became shorter while it was sent/), 10_000)
    await expectNoOpenFile()
  })

  test('a file that becomes longer while it is sent is sent with the length that was announced', async () => {
    const path = createFile(largeSize)
    const { url } = await listening(() => sendFile(path))
    const response = await fetch(url)
    appendFileSync(path, 'y'.repeat(100))
    expect((await response.arrayBuffer()).byteLength).toBe(largeSize)
    await expectNoOpenFile()
  })
})

describe('sendFile', () => {
  test('without a root takes any path but one with ..', async () => {
    expect(await sendFile(join(root, '.env'))).toMatchObject({ name: undefined, type: undefined })
    expect(await sendFile(join(root, 'out.txt'))).toMatchObject({ type: 'text/plain' })
    for (const path of [`${root}/../secret.txt`, `${root}\\..\\secret.txt`, '', 'a\0b', root, '/dev/null', join(root, 'nothing')])
      expect(await sendFile(path)).toBeUndefined()
  })

  test('names its type by the option, and by the extension', async () => {
    expect(await sendFile('report.pdf', { root })).toMatchObject({ type: 'application/pdf' })
    expect(await sendFile('noExtension', { root, type: 'text/plain', name: 'x' })).toMatchObject({ type: 'text/plain', name: 'x' })
    for (const [wrong, shown] of [
      ['', '""'],
      [undefined, 'undefined'],
      [null, 'null'],
    ])
      await expect(sendFile(join(home, 'secret.txt'), { root: wrong as never })).rejects.toThrow(
        `sendFile() has the root ${shown}, expected a folder, such as "reports". Name one. Without this option, sendFile() takes any path as it is.`,
      )
    await expect(sendFile('report.pdf', { root, name: 7 as never })).rejects.toThrow('a name that is a number')
  })
})
