/** The scripts of failures: a shell executes no text that is of a description or of a server. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { formatClientScript } from '../../../src/check/clients/clientScript.ts'
import type { WireResponse } from '../../../src/check/exchange.ts'
import type { PlayedItem } from '../../../src/check/sequences/playedItem.ts'
import { formatScript } from '../../../src/check/sequences/script.ts'
import type { SentRequest } from '../../../src/check/sequences/sendRequests.ts'

/** Texts that a shell, a regular expression or curl could take for something else. A command in them would create a file. */
const hostileTexts = [
  '$(touch$IFS./made)',
  '`touch$IFS./made`',
  "';touch$IFS./made;'",
  "'$(touch$IFS./made)'",
  '";touch$IFS./made;"',
  ';touch$IFS./made;',
  ')touch$IFS./made;(',
  '}$(touch$IFS./made)',
  '\ntouch ./made\n',
  '\r\ntouch ./made\r\n',
  '\0\ntouch ./made\n',
  "\\';touch$IFS./made;\\",
  '|touch$IFS./made|',
  '&touch$IFS./made&',
  '&&touch$IFS./made',
  '/e;w made',
  '.*[(+?\\',
  '*',
  '~',
  '-o./made',
  '@/etc/passwd',
  "$'touch",
  '0',
]

/** A header value has no line breaks. */
const toHeaderValue = (text: string): string => text.replace(/[\0\r\n]/g, '')

/** Starts a server whose identifiers, ETags and members have the text. It forgets no item: its list has the deleted one. */
async function startServer(text: string): Promise<{ readonly url: string; readonly bodies: readonly string[] }> {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (body !== '') bodies.push(body)
      const item = { [`${text}id`]: text, name: text }
      const statuses: Readonly<Record<string, number>> = { POST: 201, DELETE: 204 }
      response.writeHead(statuses[request.method ?? ''] ?? 200, { ETag: `"${toHeaderValue(text)}"` })
      response.end(request.method === 'GET' ? JSON.stringify([item]) : request.method === 'POST' ? JSON.stringify(item) : '')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies }
}

/** Runs a script without arguments in a folder of its own, and lists the files of the folder. */
async function runScript(script: string): Promise<{ code: number; output: string; files: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'lapidary-script-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'repro.sh'), script)
  const environment = { ...process.env, TMPDIR: folder }
  const [code, output] = await new Promise<[number, string]>((resolve) => {
    execFile('sh', ['repro.sh'], { cwd: folder, env: environment }, (error, stdout, stderr) =>
      resolve([error === null ? 0 : Number(error.code), stdout + stderr]),
    )
  })
  return {
    code,
    output,
    files: (await readdir(folder, { recursive: true })).filter((name) => !/^tmp\.[^/]*(?:\/client[12]\.txt)?$/.test(name)),
  }
}

function createSent(method: string, target: string, status: number, text: string): SentRequest {
  const body = method === 'POST' ? new TextEncoder().encode(JSON.stringify({ name: text, [`${text}id`]: text })) : undefined
  const condition = method === 'DELETE' ? [['If-Match', `"${toHeaderValue(text)}"`]] : []
  const headers = [['X-Text', `a${toHeaderValue(text)}`], ...condition]
  const header = (name: string): string | undefined => (name === 'etag' ? `"${toHeaderValue(text)}"` : undefined)
  const response = { status, header, rawHeaders: [], body: new Uint8Array() } as unknown as WireResponse
  return { request: { method, target, headers, body }, response, client: 0 } as unknown as SentRequest
}

const createRequests = (text: string): readonly [SentRequest, SentRequest, SentRequest] => {
  const path = `/stones${encodeURI(text.replace(/[\0\r\n]/g, ''))}`
  return [
    createSent('POST', path, 201, text),
    createSent('DELETE', `${path}/${encodeURIComponent(text)}`, 204, text),
    createSent('GET', path, 200, text),
  ]
}

const inText = { rule: 'a-rule', redact: (text: string): string => text }

test.each(hostileTexts)('a script that repeats a sequence executes no text: %j', async (text) => {
  const { url, bodies } = await startServer(text)
  const [post, remove, list] = createRequests(text)
  const item = { family: { identifier: `${text}id` }, texts: [text] } as unknown as PlayedItem
  const script = formatScript({
    ...{ ...inText, base: new URL(`${url}/${text}`), message: `the list has ${text}`, items: new Map([[0, item]]) },
    requests: [
      { sent: post, item: 0, isCreation: true },
      { sent: remove, item: 0, isCreation: false },
      { sent: list, item: undefined, isCreation: false },
    ],
    expectation: { kind: 'entry', item: 0, count: 0 },
  })
  const { code, output, files } = await runScript(script)
  expect(files, script).toEqual(['repro.sh'])
  expect([code, output], script).toEqual([1, expect.stringContaining('The fault is there.')])
  expect(bodies).toEqual([JSON.stringify({ name: text, [`${text}id`]: text })])
})

test.each(hostileTexts)('a script with a test of a member executes no text: %j', async (text) => {
  const { url } = await startServer(text)
  const [, , list] = createRequests(text)
  const expectation = { kind: 'member', name: `${text}id`, value: text, isEqual: false } as const
  const base = new URL(`${url}/${text}`)
  const requests = [{ sent: list, item: undefined, isCreation: false }]
  const script = formatScript({ ...inText, base, message: text, items: new Map(), requests, expectation })
  const { code, output, files } = await runScript(script)
  expect(files, script).toEqual(['repro.sh'])
  expect([code, output], script).toEqual([1, expect.stringContaining('The fault is there.')])
})

test.each(hostileTexts)('a script of several clients executes no text: %j', async (text) => {
  const { url, bodies } = await startServer(text)
  const [sent, remove, first] = createRequests(text)
  const script = formatClientScript({
    ...{ ...inText, base: new URL(`${url}/${text}`), message: `the list has ${text}` },
    created: { sent, first, id: text, identifier: `${text}id` },
    clients: [[remove], [remove]],
    last: [first],
  })
  const { code, output, files } = await runScript(script)
  expect(files, script).toEqual(['repro.sh'])
  expect([code, output], script).toEqual([1, expect.stringContaining('The fault is there.')])
  expect(bodies).toEqual([JSON.stringify({ name: text, [`${text}id`]: text })])
})
