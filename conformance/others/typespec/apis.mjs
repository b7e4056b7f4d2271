/** The APIs of the documents of TypeSpec: each is served by handlers that return the response of the scenario, and called by our client. */
import { fromOpenApi } from '@lapidary/openapi'
import { isHttpError, operations } from 'lapidary'
import { client, credentials } from 'lapidary/client'
import { declaredForms, isMount, listAuthSchemes } from 'lapidary/internal'
import { authenticate, serve } from 'lapidary/server'

/**
 * @typedef {object} ImportedApi
 * @property {import('lapidary').Api} api
 * @property {string} base  the path of its server, without a trailing slash
 * @property {import('lapidary/server').Server} server
 * @property {(path: readonly string[], input: any) => unknown} handle  what its handlers do
 * @property {unknown} [error]  what the server has reported last
 */

/** @typedef {{ readonly api: ImportedApi, readonly path: readonly string[], readonly method: string, readonly pattern: RegExp }} Route */

/** A server of a document with its variables: the caller chooses the version, and the address of the server. */
function fillVariables(document) {
  for (const { variables = {} } of document.servers ?? [])
    for (const [name, variable] of Object.entries(variables))
      variable.default = name === 'endpoint' ? 'http://localhost:3000' : document.info.version
  return document
}

/** The paths that a route has. @param {string} route */
function toPattern(route) {
  const path = route.slice(route.indexOf(' ') + 1)
  const segments = path.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+'
    return segment.startsWith('*') ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}

/** Puts a value in a record of records. */
function setNested(record, path, value) {
  let here = record
  for (const key of path.slice(0, -1)) here = here[key] ??= {}
  here[path.at(-1)] = value
}

const everyone = (scheme) =>
  authenticate(scheme, (values) => ({ scheme, values }), ...(scheme.scopes ? [{ scopes: () => Object.keys(scheme.scopes) }] : []))

/** Serves a document. @returns {readonly Route[]} its routes, those with captures last */
function serveDocument(document) {
  const { api, servers } = fromOpenApi(fillVariables(document))
  const base = new URL(servers[0]?.url ?? '/', 'http://localhost:3000').pathname.replace(/\/$/, '')
  const endpoints = operations(api).filter(({ operation }) => !isMount(operation))
  const handlers = {}
  for (const { path } of endpoints) setNested(handlers, path, (input) => imported.handle(path, input))
  const auth = [...new Set(endpoints.flatMap(({ operation }) => listAuthSchemes(operation.auth)))].map(everyone)
  const onError = (error) => {
    imported.error = error
  }
  /** @type {ImportedApi} */
  const imported = { api, base, server: serve(api, handlers, { auth, onError }), handle: () => undefined }
  return endpoints.map(({ path, operation: { route } }) => ({
    api: imported,
    path,
    method: route.split(' ', 1)[0],
    pattern: toPattern(route),
    route,
  }))
}

/**
 * Serves documents.
 *
 * @param {readonly { document: object }[]} documents
 * @returns {(method: string, path: string) => Route | undefined} finds the endpoint of a request
 */
export function serveDocuments(documents) {
  const count = (/** @type {{ route: string }} */ { route }) => route.split('/:').length
  const routes = documents.flatMap(({ document }) => serveDocument(document)).sort((one, other) => count(one) - count(other))
  return (method, path) =>
    routes.find(
      (route) => route.method === method && path.startsWith(route.api.base) && route.pattern.test(path.slice(route.api.base.length) || '/'),
    )
}

const isFile = (value) => typeof value?.bytes === 'function' && 'size' in value
const isRecord = (value) => Object(value) === value && Object.getPrototypeOf(value) === Object.prototype

/** What a handler has got of a body, as a client can send it later: files and streams last as long as their request. */
export async function keepBody(body) {
  if (Array.isArray(body)) return Promise.all(body.map(keepBody))
  if (isFile(body)) return new File([await body.bytes()], body.name, { type: body.type })
  if (typeof body?.[Symbol.asyncIterator] === 'function') {
    const items = []
    for await (const item of body) items.push(item)
    return items
  }
  if (!isRecord(body)) return body
  return Object.fromEntries(await Promise.all(Object.entries(body).map(async ([name, value]) => [name, await keepBody(value)])))
}

/**
 * Calls an endpoint by our client with the input that a handler has got.
 *
 * @param {Route} route
 * @param {string} url
 * @param {any} input
 * @param {typeof fetch} [send]
 */
export async function callEndpoint({ api: { api }, path }, url, { params, query, headers, cookies, body, user }, send = fetch) {
  const auth = user === undefined ? [] : [credentials(user.scheme, user.values)]
  const call = path.reduce((here, key) => here[key], client(api, url, { fetch: send, auth }))
  const parts = Object.entries({ params, query, headers, cookies, body }).filter(([, value]) => value !== undefined)
  return call(Object.fromEntries(parts))
}

/**
 * What a handler returns for a response of a scenario: as our client reads it.
 *
 * @param {Route} route
 * @param {any} input
 * @param {Response} response
 */
export async function readResponse(route, input, response) {
  try {
    return await callEndpoint(route, 'http://server.example', input, async () => response)
  } catch (error) {
    if (!isHttpError(error) || !declaredForms.has(error)) throw error
    return input.fail(error.status, { body: error.body, headers: error.headers })
  }
}
