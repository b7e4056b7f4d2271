/** The scenarios of TypeSpec: the requests that a server must read, and the responses that it must send. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const program = fileURLToPath(new URL('node_modules/@typespec/spector/cmd/cli.mjs', import.meta.url))
export const specs = fileURLToPath(new URL('node_modules/@typespec/http-specs/specs', import.meta.url))

const implementations = join(specs, '../dist')

/**
 * One request of a scenario, and its response.
 *
 * @typedef {object} Definition
 * @property {string} scenario
 * @property {string} method  in upper case
 * @property {string} target  with the query
 * @property {any} request
 * @property {any} response
 */

/** The target of a request, as `tsp-spector knock` makes it. */
function getTarget(uri, { pathParams = {}, query = {} } = {}) {
  let target = uri
  for (const [name, value] of Object.entries(pathParams)) target = target.replaceAll(`:${name}`, String(value))
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  const text = new URLSearchParams(pairs).toString()
  return target.replaceAll('\\:', ':') + (text === '' ? '' : `?${text}`)
}

/** @returns {Promise<readonly Definition[]>} */
export async function readDefinitions() {
  const definitions = []
  for (const file of readdirSync(implementations, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('mockapi.js')) continue
    const { Scenarios = {} } = await import(pathToFileURL(join(implementations, file)).href)
    for (const [scenario, { apis }] of Object.entries(Scenarios))
      for (const { uri, method, request, response } of apis)
        definitions.push({ scenario, method: method.toUpperCase(), target: getTarget(uri, request), request, response })
  }
  return definitions
}

/** A value of a definition that may depend on the URL of the server. */
const resolve = (value, url) => (typeof value?.serialize === 'function' ? value.serialize({ baseUrl: url }) : value)

/** A header that may be a function of the URL of the server. */
const { expandDyns } = await import('@typespec/spec-api')

/** The response of a definition. @param {Definition} definition @param {string} url that of the server @returns {Response} */
export function createResponse({ response: { status, headers = {}, body } }, url) {
  const fields = new Headers(Object.entries(expandDyns(headers, { baseUrl: url })).map(([name, value]) => [name, String(value)]))
  if (body !== undefined) fields.set('Content-Type', body.contentType)
  return new Response(body === undefined ? null : resolve(body.rawContent, url), { status, headers: fields })
}
