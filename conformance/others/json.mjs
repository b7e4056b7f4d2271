/** JSONTestSuite: which texts are JSON, to a server over a socket. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoint, json, ok } from 'lapidary'
import { serve } from 'lapidary/server'
import { createCases } from './cases.mjs'
import { onEachAdapter } from './servers.mjs'

export const title = 'JSONTestSuite'
export const about =
  'Each file is the body of a request to an endpoint that returns its JSON body. The server returns the value of a text that is JSON, and rejects any other with 400.'

export const sources = [
  { repository: 'nst/JSONTestSuite', commit: '1ef36fa01286573e846ac449e8683f8833c5b26a', licence: 'MIT', paths: ['test_parsing'] },
]

const api = { echo: endpoint('POST /', { body: json, response: ok(json) }) }
const server = serve(api, { echo: ({ body }) => body })

/** What is wrong with the response to a text; undefined where nothing is. */
async function findFault(url, bytes, isJson) {
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: bytes })
  const text = await response.text()
  if (response.status !== (isJson ? 200 : 400)) return `status ${response.status}`
  if (isJson && JSON.stringify(JSON.parse(text)) !== JSON.stringify(JSON.parse(bytes.toString()))) return `another value: ${text}`
  return undefined
}

export async function run([folder]) {
  const tests = join(folder, 'test_parsing')
  const names = readdirSync(tests).sort()
  /** @type {Map<string, string>} */
  const faults = new Map()
  const open = { 200: new Set(), 400: new Set() }
  await onEachAdapter(server, async (url, adapter) => {
    for (const name of names) {
      const bytes = readFileSync(join(tests, name))
      if (name.startsWith('i_')) {
        const isRead = (await findFault(url, bytes, false)) !== undefined
        open[isRead ? 200 : 400].add(name)
        continue
      }
      const fault = await findFault(url, bytes, name.startsWith('y_'))
      if (fault !== undefined) faults.set(name, `${adapter}: ${fault}`)
    }
  })
  const cases = createCases()
  for (const name of names) {
    if (!name.startsWith('i_')) cases.add(name, faults.get(name))
    else if (open[200].has(name) && open[400].has(name)) cases.add(name, 'the adapters differ')
    else
      cases.skip(
        name,
        open[200].has(name) ? 'The suite leaves it open. The server reads it.' : 'The suite leaves it open. The server refuses it.',
      )
  }
  return cases.list()
}
