/** Smithy's protocol tests of restJson1: what a server reads of a request, and which requests it rejects. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromOpenApi } from '@lapidary/openapi'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { createCases, fits } from './cases.mjs'
import { exchangeBytes } from './servers.mjs'
import { readModel } from './smithy/idl.mjs'
import { createDocument, getKind, getName, getPlace } from './smithy/openapi.mjs'

export const title = 'Smithy restJson1'
export const about =
  'The protocol tests of AWS restJson1. Each operation of the model is an OpenAPI document, of which `fromOpenApi` makes a server. The handler must get the values that a test names, and the server must reject each malformed request with 400. Names of errors and the responses, which are the protocol of AWS, are left out.'

const place = 'smithy-aws-protocol-tests/model'

export const sources = [
  {
    repository: 'smithy-lang/smithy',
    commit: '0f7323128b0606a1b94b1ac482c94d3800a22708',
    licence: 'Apache-2.0',
    paths: [`${place}/restJson1`, `${place}/shared-types.smithy`],
  },
]

/** @type {readonly import('./cases.mjs').Reason[]} */
const reasons = [
  // What OpenAPI has no word for.
  fits(
    'not applicable',
    'OpenAPI has no word for all parameters of a query, nor for a part of it that is constant.',
    /QueryString(?:Map|Escaping)|AllQueryStringTypes|ZeroAndFalseQueryValues|StaticQueryParam|PutAllQueryParams|QueryParamsStringListMap/,
  ),
  fits('not applicable', 'OpenAPI has no word for headers by a prefix.', /PrefixHeaders/),
  fits('not applicable', 'OpenAPI has no path parameter of several segments.', /GreedyLabel/),
  fits('not applicable', 'OpenAPI has no word for a header in base64.', /MediaTypeHeader|HeaderMalformedStringInvalidBase64MediaType/),
  fits('not applicable', 'The documents have no responses with a body, so Accept decides nothing.', /Accept 0$/),
  fits('not applicable', 'The test is about what a client compresses.', /SDKAppl|SDKAppended/),
  // What the toolkit does otherwise.
  fits(
    'refused',
    'JSON has no NaN and no Infinity (RFC 8259 §6), and a number of the toolkit is one of JSON.',
    /Supports(?:NaN|Infinity|NegativeInfinity)Float/,
  ),
  fits(
    'refused',
    'A server of a document does not check `format` and `contentEncoding`: JSON Schema has them as notes.',
    /Timestamp(?:DateTime|Default)|BodyDateTime|TimestampBody|MalformedBlobInvalidBase64|MalformedLengthBlob/,
  ),
  fits(
    'refused',
    'A `default` in a body is a note for clients. The handler gets what was sent.',
    /PopulatesDefaults|PopulatesNestedDefaults/,
  ),
  fits('refused', 'A body has one media type, and others are 415.', /PayloadBlob$|AcceptsAllContentTypes$/),
  fits(
    'refused',
    'A list in a header is split at each comma, also within quotes and dates.',
    /QuotedStringHeaders|InputAndOutputWithTimestampHeaders/,
  ),
  fits('refused', 'null is a value, and the member is a text.', /DontSerializeNull/),
  fits('refused', 'A list that is not in the query is not there. The test expects an empty one.', /OmitsEmptyListQueryValues/),
  fits('refused', 'An operation without a body ignores one.', /WithoutBody\w*ExpectsEmptyContentType/),
  fits('refused', 'A parameter without `=` has no value. One that is optional is as if it was not sent.', /LengthQueryStringNoValue/),
  fits('refused', 'JavaScript tries a pattern such as `^([0-9]+)+$` in exponential time. Do not serve a document with one.', /ReDOS/),
]

/** The value of a test in the form of what a handler gets, as text to compare. */
function normalize(model, target, expected, actual) {
  const kind = getKind(model, target)
  if (actual === undefined || actual === null) return [expected, actual]
  if (kind === 'timestamp') {
    const time = actual instanceof Date ? actual.getTime() / 1000 : typeof actual === 'string' ? Date.parse(actual) / 1000 : actual
    return [expected, time]
  }
  if (kind === 'blob') {
    const text = typeof actual === 'string' ? Buffer.from(actual, 'base64').toString() : Buffer.from(actual).toString()
    return [expected, text]
  }
  if (kind === 'list' && Array.isArray(expected) && Array.isArray(actual)) {
    const pairs = expected.map((one, index) => normalize(model, model.get(target).members.member.target, one, actual[index]))
    return [pairs.map(([one]) => one), actual.length === expected.length ? pairs.map(([, one]) => one) : actual]
  }
  if (kind === 'map' && typeof actual === 'object')
    return normalizeMembers(
      Object.keys(expected ?? {}).map((key) => [key, key, model.get(target).members.value.target]),
      expected,
      actual,
      model,
    )
  if ((kind === 'structure' || kind === 'union') && typeof actual === 'object')
    return normalizeMembers(
      Object.entries(model.get(target).members).map(([name, member]) => [name, getName(name, member), member.target]),
      expected,
      actual,
      model,
    )
  return [expected, actual]
}

function normalizeMembers(members, expected, actual, model) {
  const pairs = members.flatMap(([name, wire, target]) => {
    const [one, other] = normalize(model, target, expected?.[name], actual[wire])
    return one === undefined && other === undefined ? [] : [[name, one, other]]
  })
  return [Object.fromEntries(pairs.map(([name, one]) => [name, one])), Object.fromEntries(pairs.map(([name, , other]) => [name, other]))]
}

/** What is wrong with the values that a handler has got; undefined where nothing is. */
function compareInput(model, members, expected, input) {
  const values = Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const { traits } = member
      const isText = typeof input.body === 'string'
      const at = {
        path: () => input.params?.[name],
        query: () => input.query?.[traits.httpQuery],
        header: () => input.headers?.[traits.httpHeader],
        payload: () => (isText && getKind(model, member.target) === 'blob' ? Buffer.from(input.body) : input.body),
        body: () => input.body?.[getName(name, member)],
      }
      return [name, at[getPlace(member)]?.()]
    }),
  )
  const known = Object.entries(members).map(([name, { target }]) => [name, name, target])
  const [one, other] = normalizeMembers(known, expected, values, model)
  return JSON.stringify(one) === JSON.stringify(other) ? undefined : `expected ${JSON.stringify(one)}, got ${JSON.stringify(other)}`
}

/** Replaces the parameters of a malformed request: `$value:L` as it is, `$value:S` as a text of JSON. */
const fill = (text, values) =>
  Object.entries(values).reduce(
    (here, [name, value]) => here.replaceAll(`$${name}:L`, value).replaceAll(`$${name}:S`, JSON.stringify(value)),
    text,
  )

/** The requests of a malformed test, one for each row of its parameters. */
function listMalformed(test) {
  const parameters = Object.entries(test.testParameters ?? {})
  const count = parameters[0]?.[1].length ?? 1
  return Array.from({ length: count }, (_, index) => {
    const values = Object.fromEntries(parameters.map(([name, all]) => [name, all[index]]))
    return {
      ...JSON.parse(JSON.stringify(test.request), (_name, value) => (typeof value === 'string' ? fill(value, values) : value)),
      id: `${test.id} ${index}`,
    }
  })
}

/** Whether a response has come to its end. */
const isWhole = (text) => {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 && text.length - end - 4 >= Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
}

/** The bytes of a request. */
function toBytes({ method, uri, queryParams = [], headers = {}, body = '', bodyMediaType }) {
  const query = queryParams.length === 0 ? '' : `${uri.includes('?') ? '&' : '?'}${queryParams.join('&')}`
  const type =
    Object.keys(headers).some((name) => name.toLowerCase() === 'content-type') || bodyMediaType === undefined || body === ''
      ? {}
      : { 'Content-Type': bodyMediaType }
  const length = Buffer.byteLength(body)
  const all = { Host: 'server.example', Connection: 'close', ...type, ...headers, ...(length > 0 && { 'Content-Length': length }) }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${uri}${query} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
}

export async function run([folder]) {
  const root = join(folder, place)
  const names = readdirSync(join(root, 'restJson1'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.smithy'))
  const files = [join(root, 'shared-types.smithy'), ...names.sort().map((name) => join(root, 'restJson1', name))]
  const model = readModel(files.map((file) => readFileSync(file, 'utf8')))
  const cases = createCases(reasons)
  for (const [name, { kind, traits, properties }] of model) {
    const requests = (traits.httpRequestTests ?? []).filter(({ appliesTo, protocol }) => appliesTo !== 'client' && protocol === 'restJson1')
    const malformed = traits.httpMalformedRequestTests ?? []
    if (kind !== 'operation' || traits.http === undefined || requests.length + malformed.length === 0) continue
    const members = model.get(String(properties.input ?? ''))?.members ?? {}
    const { api } = fromOpenApi(createDocument(model, name))
    let input
    const endpoint = Object.keys(api)[0]
    const server = serve(api, {
      [endpoint]: (given) => {
        input = given
      },
    })
    const running = await listen(server, { port: 0 })
    const send = async (request) => {
      input = undefined
      const response = await exchangeBytes(running.url, toBytes(request), 3_000, isWhole)
      return [Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0), response.split('\r\n\r\n')[1]]
    }
    try {
      for (const test of requests) {
        const [status, body] = await send(test)
        cases.add(`read: ${test.id}`, status === 204 ? compareInput(model, members, test.params ?? {}, input) : `status ${status} ${body}`)
      }
      for (const request of malformed.flatMap((test) => listMalformed(test).map((one) => ({ ...one, code: test.response.code })))) {
        // It would keep the process busy for minutes.
        if (request.id.includes('ReDOS')) {
          cases.add(`rejected: ${request.id}`, 'not sent')
          continue
        }
        const [status] = await send(request)
        cases.add(
          `rejected: ${request.id}`,
          status === request.code ? undefined : `status ${status} for ${toBytes(request).toString().replaceAll(/\r\n/g, ' ')}`,
        )
      }
    } finally {
      await running.close({ drain: 0 })
    }
  }
  return cases.list()
}
