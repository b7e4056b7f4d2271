/** The tables of web-platform-tests about forms: what a server reads of `application/x-www-form-urlencoded`, and how files are named in `multipart/form-data`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { endpoint, file, form, json, multipart, ok, text } from 'lapidary'
import { encodeMultipart } from 'lapidary/internal'
import { serve } from 'lapidary/server'
import { createCases } from './cases.mjs'
import { onEachAdapter } from './servers.mjs'
import { runScripts } from './webHarness.mjs'

export const title = 'web-platform-tests: forms'
export const about =
  'The server reads each form of the table, and must return the same pairs. The client writes each form with a file, which must have the bytes that a browser sends; the server reads the form that `fetch` writes, and must return the same name of the file.'

const place = 'test/fixtures/wpt'
const licence = 'BSD-3-Clause, as web-platform-tests'
const createSource = (/** @type {string} */ commit, /** @type {string} */ path) => ({
  repository: 'nodejs/node',
  commit,
  licence,
  isLarge: true,
  paths: [`${place}/${path}`],
})

export const sources = [
  createSource('7131ad46d0760f982bbc37efa2afd2aded04b4b0', 'url/urlencoded-parser.any.js'),
  createSource('62e29fcfe24c1d591f3e81aaa979a981d84e2bff', 'FileAPI/support/send-file-formdata-helper.js'),
  createSource('f18d762d97f3b1e6ecc87d837c4295c4ddfd139f', 'FileAPI/file/send-file-formdata-controls.any.js'),
  createSource('ac750dd8a6e2896d34f6a4e082b22119bfb1cb2f', 'FileAPI/file/send-file-formdata-punctuation.any.js'),
  createSource('a63f8c907d2697ff20a0382134c0d62b57b40574', 'FileAPI/file/send-file-formdata-utf-8.any.js'),
]

/** @type {readonly import('./cases.mjs').Reason[]} */
const reasons = [
  {
    outcome: 'refused',
    reason: 'A form that is not percent-encoded UTF-8 is rejected. Browsers read another text, with U+FFFD or a percent sign.',
    includes: (name, found) => name.startsWith('form: ') && found === 'status 400',
  },
  {
    outcome: 'refused',
    reason: 'One byte order mark at the start of a body is skipped, of each media type that is text.',
    includes: (name) => name.startsWith('form: \ufeff'),
  },
  {
    outcome: 'refused',
    reason: 'A control character in the head of a part is rejected.',
    includes: (name, found) => name.startsWith('read: ') && found === 'status 400',
  },
  {
    outcome: 'refused',
    reason:
      'Handlers use the name of a file as a name in a folder: it has no path, and none of the control characters that `fetch` has sent.',
    includes: (name) => /^read: .*-(?:LF|LF-CR|CR|CR-LF|HT|SOLIDUS|REVERSE-SOLIDUS)-\[/.test(name),
  },
  {
    outcome: 'refused',
    reason: 'The client sends a text as it is. A browser writes each of its line ends as CRLF, which is another text.',
    includes: (name) => /^written: .*-(?:LF|LF-CR|CR)-\[/.test(name),
  },
]

const upload = multipart({ filename: text, file: file({ types: ['text/plain'], maxSize: 1_000 }) })
const api = {
  pairs: endpoint('POST /pairs', { body: form, response: ok(json) }),
  upload: endpoint('POST /upload', { body: upload, response: ok(json) }),
}
const server = serve(api, {
  pairs: ({ body }) => Object.entries(body).flatMap(([name, values]) => values.map((value) => [name, value])),
  upload: async ({ body }) => [body.file.name, await body.file.text()],
})

/** The list of the suite, which is a value of JavaScript in its program. */
function readForms(script) {
  return runInNewContext(script.slice(0, script.indexOf('].forEach(') + 1))
}

/** What is wrong with what the server reads; undefined where nothing is. */
async function findReadFault(url, body, expected, type) {
  const response = await fetch(url, { method: 'POST', body, headers: type && { 'Content-Type': type } })
  if (response.status !== 200) return `status ${response.status}`
  const value = JSON.stringify(await response.json())
  return value === JSON.stringify(expected) ? undefined : value
}

/** The names of files of a suite, and how its tests call them. */
function listUploads(helper, script) {
  const uploads = []
  const [chars] = /const kTestChars = .*/.exec(helper)
  runInNewContext(`${chars}\n${script}`, { formDataPostFileUploadTest: ({ fileBaseName }) => uploads.push(fileBaseName) })
  return uploads
}

function createForm(fileName) {
  const data = new FormData()
  data.append('filename', fileName)
  data.append('file', new File(['A'], fileName, { type: 'text/plain' }))
  return data
}

export async function run(folders) {
  const [forms, helper, ...scripts] = sources.map(({ paths: [path] }, index) => readFileSync(join(folders[index], path), 'utf8'))
  const rows = readForms(forms)
  const uploads = scripts.flatMap((script) => listUploads(helper, script))
  const requests = [
    ...rows.map(({ input, output }) => ({
      name: `form: ${input}`,
      send: (url) => findReadFault(`${url}/pairs`, input, output, 'application/x-www-form-urlencoded'),
    })),
    ...uploads.map((name) => ({
      name: `read: ${name}`,
      send: (url) => findReadFault(`${url}/upload`, createForm(name), [name, 'A']),
    })),
  ]
  const faults = new Map()
  await onEachAdapter(server, async (url) => {
    for (const { name, send } of requests) faults.set(name, faults.get(name) ?? (await send(url)))
  })
  const cases = createCases(reasons)
  for (const { name } of requests) cases.add(name, faults.get(name))
  const write = async (_url, { body }) => ({ text: () => encodeMultipart([...body]).text() })
  for (const script of scripts) {
    const results = await runScripts([helper, script], { FormData, Blob, File, fetch: write })
    for (const { name, fault } of results) cases.add(`written: ${name}`, fault)
  }
  return cases.list()
}
