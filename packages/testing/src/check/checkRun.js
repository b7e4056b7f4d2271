/** One check on its way: what is asked is counted, and remembered where it shows what is there. */
import * as fc from 'fast-check'
import { buildTarget, encodeBody, generateCalls } from '../generate/calls.js'
import { getStreamReadOptions, isWireResponse } from './exchange.js'
import { listAuthHeaderNames } from './secrets.js'
/** So many of each endpoint are remembered, the latest of them. */
export const maxKnownCaptures = 20
/** Nothing yet. */
export function createKnownIds(site) {
  const known = new Map()
  const of = ({ name }) => known.get(name) ?? []
  return {
    list: of,
    add: (url) => {
      const led = site.resolveUrl(url)
      if (led === undefined || Object.keys(led.captures).length === 0) return
      const others = of(led.subject).filter((one) => JSON.stringify(one) !== JSON.stringify(led.captures))
      known.set(led.subject.name, [led.captures, ...others].slice(0, maxKnownCaptures))
    },
    reuseCaptures: (subject, call, number) => {
      const get = site.getSiblings(subject).get('GET')
      const list = get === undefined ? [] : of(get)
      const captures = number % 2 === 0 ? undefined : list[number % Math.max(1, list.length)]
      return captures === undefined ? call : { ...call, captures: { ...call.captures, ...captures } }
    },
  }
}
/** Thrown when the budget is spent. */
export class BudgetExceeded extends Error {}
/** For how long a stream is read, in milliseconds; and once it is known to have no end. */
const streamReadMilliseconds = { first: 1_000, next: 100 }
/** Streams without an end are read so often. */
const maxStreamReads = 12
/** The same number for the same text. */
const hashText = (text) => [...text].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0, 7)
/** Who has one of these is somebody, whatever the scheme. */
const isCredentialHeader = (name) => /^(authorization|cookie)$/i.test(name)
/** Begins. */
export function createCheckRun({ index: site, send, seed, requests, seconds, limits, credentialHeaders: shown, headers }) {
  const begun = performance.now()
  const known = createKnownIds(site)
  const given = Object.entries(headers)
  const calls = new Map()
  const left = new Map()
  let asked = 0
  let isSpent = false
  let isGone = false
  const isOf = ({ endpoint: { auth } }, name) => auth !== undefined && listAuthHeaderNames(auth).includes(name.toLowerCase())
  const milliseconds = () => Math.round(performance.now() - begun)
  const has = ({ endpoint: { auth } }) => auth !== undefined && Object.hasOwn(shown, auth.name)
  const seedOf = ({ name }) => seed ^ hashText(name)
  const callsAt = (subject) => {
    const found = calls.get(subject) ?? generateCalls(subject.endpoint)
    calls.set(subject, found)
    return found
  }
  const exchanged = async (request, subject) => {
    isSpent ||= asked >= requests || milliseconds() > seconds * 1_000
    if (isSpent) throw new BudgetExceeded()
    asked += 1
    const times = left.get(subject) ?? 0
    const answered = await send(
      request,
      getStreamReadOptions(subject.endpoint, times === 0 ? streamReadMilliseconds.first : streamReadMilliseconds.next),
    )
    if (!isWireResponse(answered)) isGone ||= answered.cause === 'gone'
    else if (answered.isAbandoned) left.set(subject, times + 1)
    return answered
  }
  const learn = (request, answered) => {
    const location = answered.header('location')
    if (request.method === 'GET' && answered.status < 300) known.add(request.target)
    if (location !== undefined) known.add(location)
  }
  const request = async (subject, call) => {
    const { endpoint } = subject
    const { auth, method } = endpoint
    const own = auth === undefined ? [] : Object.entries(shown[auth.name] ?? {})
    const declared = Object.entries(call.headers).flatMap(([name, texts]) => texts.map((text) => [name, text]))
    const { type, bytes } = call.body === undefined ? { type: [], bytes: undefined } : await encodeBody(endpoint, call.body)
    return { method, target: buildTarget(endpoint, call), headers: [...given, ...own, ...declared, ...type], body: bytes }
  }
  return {
    index: site,
    limits,
    knownIds: known,
    send: exchanged,
    learnFrom: learn,
    isEndless: (subject) => (left.get(subject) ?? 0) >= maxStreamReads,
    isUnreachable: () => isGone,
    countRequests: () => asked,
    isOverBudget: () => isSpent,
    getElapsed: milliseconds,
    isAuthorized: (subject) =>
      subject.endpoint.auth === undefined || has(subject) || given.some(([name]) => isCredentialHeader(name) || isOf(subject, name)),
    buildRequest: request,
    getCalls: callsAt,
    sampleCalls: (subject, count) =>
      fc
        .sample(callsAt(subject), { numRuns: count, seed: seedOf(subject) })
        .map((call, index) => known.reuseCaptures(subject, call, index + 1)),
    getSeed: seedOf,
  }
}
