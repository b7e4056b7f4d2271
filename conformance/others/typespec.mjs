/**
 * TypeSpec's http-specs: scenarios for generated servers and clients. Ours are made of the OpenAPI documents that TypeSpec writes for them. Its
 * program sends the requests to our server, and its server gets those of our client.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isHttpError } from 'lapidary'
import { declaredForms, RequestView } from 'lapidary/internal'
import { listen } from 'lapidary/node'
import { findFreePort } from '../../scripts/ports.mjs'
import { runNode } from '../command.mjs'
import { install } from '../install.mjs'
import { readManifest } from '../places.mjs'
import { createCases, fits } from './cases.mjs'

export const title = 'TypeSpec http-specs'
export const about =
  'TypeSpec writes an OpenAPI document for each of its specifications, and `fromOpenApi` makes an API of each. `tsp-spector knock` sends the request of each scenario to a server of these APIs, and compares the response. Each handler returns what our client reads of the response that the scenario expects. Then our client sends what the handlers have got to `tsp-spector serve`, which compares the requests. Each scenario is a case for the server and a case for the client.'
export const sources = []

const folder = fileURLToPath(new URL('typespec', import.meta.url))
const { dependencies } = readManifest(folder)
const packages = ['http-specs', 'spector', 'compiler', 'openapi3'].map(
  (name) => `\`@typespec/${name}\` ${dependencies[`@typespec/${name}`]}`,
)
export const version = `npm ${packages.join(', ')} (licence: MIT)`

/** @type {readonly import('./cases.mjs').Reason[]} */
const reasons = [
  // What the document does not say, and what the program sends besides.
  fits(
    'not applicable',
    'The server could not read the request, for a reason in this table, so there is nothing to call with.',
    /^client: /,
    /^no input$/,
  ),
  fits('not applicable', 'The document does not have the path of the next page.', /^server: Payload_Pageable_.*(?:link|Link)/),
  fits('not applicable', 'The document does not declare a header of the response.', /^server: .*(?:Query|Header)ResponseHeader$/),
  fits('not applicable', 'The document does not declare the status.', /Payload_ContentNegotiation_SameBody$/),
  fits('not applicable', 'OpenAPI allows no query in a path.', /^server: Routes_QueryParameters_QueryContinuation_/),
  fits(
    'not applicable',
    'TypeSpec writes no document with a parameter that is called `constructor`.',
    /^server: SpecialWords_Parameters_constructor$/,
  ),
  fits(
    'not applicable',
    'The program sends another Content-Type than the document declares, or a form without its boundary.',
    /^server: (?:Payload_JsonMergePatch_|Payload_MediaType_|Payload_MultiPart_FormData_File_upload)/,
    /\b415\b|boundary/,
  ),
  fits('not applicable', 'The program sends no body, which the document requires.', /^server: Type_Model_Visibility_putReadOnlyModel$/),
  // What the toolkit does otherwise.
  fits(
    'refused',
    'A path parameter is a whole segment in the style `simple`.',
    /^server: (?:Routes_PathParameters_|Parameters_Path_optional$)/,
  ),
  fits('refused', 'An object in a query needs the names of its members.', /^server: Routes_QueryParameters_QueryExpansion_Explode_record$/),
  fits(
    'refused',
    'The server responds to HEAD where it has GET. An operation of HEAD alone is no endpoint.',
    /^server: (?:Server_|SpecialHeaders_ConditionalRequest_head|Type_Model_Visibility_headModel)/,
    /no endpoint/,
  ),
  fits('refused', 'A bearer token has no colon (RFC 6750 §2.1), and this one is a URL.', /^server: Authentication_/, /OAuth2Auth/),
  fits('refused', 'A response with JSON and bytes under one status is JSON.', /^server: Payload_ContentNegotiation_DifferentBody$/),
  fits('refused', 'A body has one media type, and `*/*` is any.', /Type_File_Body_\w+DefaultContentType$/),
  fits(
    'refused',
    'A value that the document does not allow is 400. The scenario expects 500.',
    /^server: Type_Enum_Fixed_String_putUnknownValue$/,
  ),
  fits('refused', 'The response does not have what its schema demands.', /(?:Missing|Wrong)Discriminator$/),
  fits(
    'refused',
    'A schema whose discriminator names its subtypes, without `oneOf`, is read as the base alone.',
    /Type_Model_Inheritance_(?:Nested|Single)Discriminator_/,
  ),
  fits(
    'refused',
    'A value that fits two alternatives is written by the first, without the members that only the second declares.',
    /_SpreadRecordNonDiscriminatedUnion2_/,
  ),
  fits('refused', 'Each line of JSON ends with a line break, also the last one: otherwise it was cut off.', /Streaming_Jsonl_/),
  fits(
    'refused',
    'The client sends `application/json;charset=utf-8`, and the scenario compares texts.',
    /^client: (?:Encode_Bytes_RequestBody_|Parameters_BodyOptionality_|Type_File_Body_uploadFileJson)/,
    /^status 400/,
  ),
]

/** @typedef {import('./typespec/scenarios.mjs').Definition} Definition */

/** A server of all APIs. It knows what its handlers get, and what went wrong. */
function createServer(definitions, find, { createResponse, keepBody, readResponse }) {
  const queues = new Map()
  for (const definition of definitions) {
    const key = `${definition.method} ${definition.target.split('?', 1)[0]}`
    queues.set(key, [...(queues.get(key) ?? []), definition])
  }
  const [inputs, faults] = [new Map(), new Map()]
  const server = { url: '', inputs, faults, handler: undefined }
  server.handler = async (request) => {
    const path = request.target.split('?', 1)[0] ?? ''
    // The program sends its requests in the order of the definitions.
    const definition = queues.get(`${request.method} ${path}`)?.shift()
    const route = find(request.method, path)
    if (definition === undefined || route === undefined) return { status: 404, headers: [], body: 'no endpoint' }
    const { api } = route
    api.error = undefined
    api.handle = async (_path, given) => {
      const input = { ...given, body: await keepBody(given.body) }
      inputs.set(definition, { route, input })
      return readResponse(route, input, createResponse(definition, server.url)).catch((error) => {
        // A scenario that says nothing of the body returns that of the request.
        if (definition.response.body === undefined && input.body !== undefined && !isHttpError(error)) return input.body
        throw error
      })
    }
    const response = await api.server(new RequestView(request, request.target.slice(api.base.length).replace(/^(?!\/)/, '/')))
    faults.set(definition, api.error?.message ?? (typeof response.body === 'string' ? response.body : ''))
    return response
  }
  return server
}

/** Runs `tsp-spector knock`. @returns {Promise<Map<string, string>>} what it finds wrong, by scenario */
async function knock(program, words, output) {
  const descriptor = openSync(output, 'w')
  const child = spawn(process.execPath, [program, 'knock', ...words], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', descriptor, descriptor],
  })
  await once(child, 'close')
  closeSync(descriptor)
  const text = readFileSync(output, 'utf8')
  const failed = text.matchAll(/^✘ Scenario: (\S+)\n(.*?)(?=^[✓✘] |(?!.))/gms)
  return new Map([...failed].map(([, name, message]) => [name, message.replaceAll(/\s+/g, ' ').trim()]))
}

/** Starts `tsp-spector serve`, and calls a function with its URL. */
async function withSpector(program, specs, place, use) {
  const port = await findFreePort()
  const words = [program, 'serve', specs, '--port', `${port}`, '--coverageFile', join(place, 'coverage.json')]
  const child = spawn(process.execPath, words, { stdio: 'ignore' })
  const url = `http://localhost:${port}`
  try {
    for (
      let tries = 0;
      !(await fetch(url).then(
        () => true,
        () => false,
      ));
      tries += 1
    ) {
      if (tries > 300 || child.exitCode !== null) throw new Error('tsp-spector serve does not listen')
      await delay(100)
    }
    return await use(url)
  } finally {
    child.kill()
  }
}

/** What is wrong with a call of our client to the server of the scenarios; undefined where nothing is. */
async function findCallFault(callEndpoint, { route, input }, { response: { status } }, url) {
  let received = 0
  const send = async (...request) => {
    const response = await fetch(...request)
    received = response.status
    return response
  }
  const error = await callEndpoint(route, url + route.api.base, input, send).then(
    () => undefined,
    (thrown) => thrown,
  )
  if (received !== status) return `status ${received}: ${error?.message}`
  return error === undefined || declaredForms.has(error) ? undefined : error.message
}

/** @param {readonly string[]} _folders @param {Pick<import('../stage.mjs').Stage, 'createFolder'>} stage */
export async function run(_folders, { createFolder }) {
  install('others/typespec')
  const { callEndpoint, keepBody, readResponse, serveDocuments } = await import('./typespec/apis.mjs')
  const { createResponse, program, readDefinitions, specs } = await import('./typespec/scenarios.mjs')
  const documents = JSON.parse(await runNode(join(folder, 'compile.mjs'), [], { cwd: folder }))
  const definitions = await readDefinitions()
  const place = createFolder('typespec')
  const cases = createCases(reasons)

  const find = serveDocuments(documents)
  const server = createServer(definitions, find, { createResponse, keepBody, readResponse })
  const running = await listen(server.handler, { port: 0 })
  server.url = running.url
  const failed = await knock(program, [specs, '--baseUrl', running.url], join(place, 'knock.txt')).finally(() =>
    running.close({ drain: 0 }),
  )
  const scenarios = new Map()
  for (const definition of definitions) scenarios.set(definition.scenario, [...(scenarios.get(definition.scenario) ?? []), definition])
  for (const [scenario, own] of scenarios) {
    const fault = failed.get(scenario)
    const details = own.map((one) => server.faults.get(one) ?? 'no endpoint').join(' ')
    cases.add(`server: ${scenario}`, fault === undefined ? undefined : `${details} ${fault}`)
  }

  await withSpector(program, specs, place, async (url) => {
    for (const [scenario, own] of scenarios) {
      const faults = []
      for (const definition of own) {
        const known = server.inputs.get(definition)
        faults.push(known === undefined ? 'no input' : await findCallFault(callEndpoint, known, definition, url))
      }
      cases.add(
        `client: ${scenario}`,
        faults.find((fault) => fault !== undefined),
      )
    }
  })
  return cases.list()
}
