/** The `curl` command of a report can be read, and sends the same request. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { encodeMultipart } from 'lapidary/internal'
import { listen } from 'lapidary/node'
import { expect, onTestFinished, test } from 'vitest'
import { hasCurl } from '../../../../scripts/test/support/transcript.ts'
import type { HeaderLine } from '../../src/check/exchange.ts'
import { formatCurl } from '../../src/check/formatExchange.ts'

const base = new URL('http://127.0.0.1:8081')
const bytes = (...values: readonly number[]): Blob => new Blob([Uint8Array.of(...values)], { type: 'image/png' })
const post = (body: Uint8Array, ...headers: readonly HeaderLine[]) => ({ method: 'POST', target: '/', headers, body })

async function formRequest(...entries: readonly (readonly [string, string | Blob])[]) {
  const form = encodeMultipart(entries, 'boundary')
  return post(new Uint8Array(await form.arrayBuffer()), ['Content-Type', form.type])
}

test('a form is flags that can be read', async () => {
  const request = await formRequest(
    ['title', 'Opal'],
    ['note', '@home; "now"'],
    ['text', new File(['a "b"'], 'note.txt', { type: 'text/plain' })],
    ['photo', bytes(0, 255)],
  )
  expect(formatCurl(request, base)).toBe(
    "printf '\\000\\377' > part-4.bin && curl -i -g --path-as-is -X POST --form 'title=Opal' --form-string 'note=@home; \"now\"'" +
      ' --form \'text="a \\"b\\"";filename="note.txt";type=text/plain\' --form \'photo=@part-4.bin;filename="blob";type=image/png\' \'http://127.0.0.1:8081/\'',
  )
})

test('bytes that are no text are readable as far as they are text, and the same byte again and again is not written out', () => {
  expect(formatCurl(post(Uint8Array.of(0x2d, 0x22, 0xff, 0x25, 0x0a), ['Content-Type', 'application/json']), base)).toMatch(
    /^printf '\\055"\\377%%\\n' \| curl .* --data-binary @- /,
  )
  expect(formatCurl(post(new Uint8Array(5_000_000).fill(0x20), ['Content-Type', 'application/json']), base)).toMatch(
    /^head -c 5000000 \/dev\/zero \| tr '\\000' '\\040' \| curl .* --data-binary @- /,
  )
})

test.runIf(hasCurl).each([
  [
    'texts',
    [
      ['title', 'Opal'],
      ['empty', ''],
      ['odd', " ;\"<@\\ 'x' ü"],
      ['at', '@x'],
      ['lines', 'a\r\nb'],
    ],
  ],
  [
    'files',
    [
      ['a', new File(['x;y "z" \\'], 'a b.txt', { type: 'text/plain;charset=utf-8' })],
      ['b', bytes(0, 13, 10, 255)],
      ['c', new File([], 'ü')],
    ],
  ],
  ['a large file', [['a', new Blob(['x'.repeat(100_000)])]]],
  [
    'odd names',
    [
      ['a"b', 'x'],
      ['c;d', 'y'],
    ],
  ],
] as const)('the command sends the same form: %s', async (_what, entries) => {
  const seen: string[] = []
  const { url, close } = await listen(async (incoming) => {
    const type = incoming.header('content-type') ?? ''
    const body = Buffer.from(await incoming.body(1_000_000)).toString('latin1')
    seen.push(body.replaceAll(type.split('boundary=')[1] ?? '', 'boundary'))
    return { status: 204, headers: [], body: null }
  })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const request = await formRequest(...(entries as unknown as readonly (readonly [string, string | Blob])[]))
  const cwd = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  await promisify(execFile)('sh', ['-c', formatCurl(request, new URL(url))], { cwd })
  expect(seen).toEqual([Buffer.from(request.body).toString('latin1')])
})
