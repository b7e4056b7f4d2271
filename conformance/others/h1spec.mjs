/** h1spec: requests that are whole, broken off or malformed, to a server over a socket. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { createCases } from './cases.mjs'
import { exchangeBytes, onEachAdapter } from './servers.mjs'

export const title = 'h1spec'
export const about =
  'Each request goes to a server that returns the body of any request. The server must respond with a status of the ranges that the suite names, or wait for the rest of the request.'

export const sources = [
  { repository: 'uNetworking/h1spec', commit: 'f0a5650a20c575fbea0f7179a3a9cfa50f20ba6e', licence: 'none stated', paths: ['http_test.ts'] },
]

/** How long a server has to wait for the rest of a request, in milliseconds. The suite has the same time. */
const patience = 500

/** The list of the suite, which is a value of JavaScript in its program. */
function readCases(folder) {
  const [, list] = readFileSync(join(folder, 'http_test.ts'), 'utf8').split('const testCases: TestCase[] = ')
  return runInNewContext(`(${list.slice(0, list.indexOf('\n];') + 2)})`)
}

const server = async (request) => ({ status: 200, headers: [], body: await request.body(1_000) })

/** What is wrong with what a server sends; undefined where nothing is. */
async function findFault(url, { request, expectedStatus, expectedTimeout = false, expectedBody }) {
  const isWhole = (text) => text.includes('\r\n\r\n') && (expectedBody === undefined || text.endsWith(expectedBody))
  const response = await exchangeBytes(url, request, patience, isWhole)
  if (expectedTimeout) return response === '' ? undefined : `responded: ${response}`
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0)
  if (!expectedStatus.some(([least, most]) => status >= least && status <= most)) return `status ${status}`
  return status === 200 && expectedBody !== undefined && response.split('\r\n\r\n')[1] !== expectedBody ? `body: ${response}` : undefined
}

export async function run([folder]) {
  const rows = readCases(folder)
  const faults = new Map()
  await onEachAdapter(server, async (url, adapter) => {
    const found = await Promise.all(rows.map((row) => findFault(url, row)))
    for (const [index, fault] of found.entries()) if (fault !== undefined) faults.set(index, `${adapter}: ${fault}`)
  })
  const cases = createCases()
  for (const [index, { description }] of rows.entries()) cases.add(description, faults.get(index))
  return cases.list()
}
