/** What changes make of what is there: created, replaced, removed. */
import { isDeepStrictEqual } from 'node:util'
import { getJsonSchema } from 'lapidary/internal'
import { readResponseValue } from './responseBody.js'
import { canReachHandler } from './status.js'
// What is there, and what may be sent in its place.
/** Whether what is sent to one endpoint is what another answers with, as far as their schemas say. */
export function hasSameSchema({ endpoint: { body } }, { endpoint: { response } }) {
  const [sent, got] = [body?.schema, response.content?.schema]
  return sent !== undefined && got !== undefined && isDeepStrictEqual(getJsonSchema(sent), getJsonSchema(got))
}
/** The same call with what is there as its body, where that is what the endpoint takes. */
export async function withCurrentBody(call, subject, at, seen) {
  const value = hasSameSchema(subject, at) ? await readResponseValue(at.endpoint.response, seen) : undefined
  return value === undefined || call.body === undefined ? call : { ...call, body: { ...call.body, value } }
}
/** The headers of a call, without the conditions among them. */
export const withoutConditionTexts = (headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, texts]) => [name, /^if-/i.test(name) ? [] : texts]))
/** How often each change is tried. */
const callsPerChange = 3
const isSuccessResponse = ({ status }) => status >= 200 && status < 300
/** A call of `subject` for what is there under these captures. */
const createCall = ({ sampleCalls: calls }, subject, captures) => {
  const [call] = calls(1, subject)
  return call && { ...call, captures: { ...call.captures, ...captures } }
}
/** What a GET says of what is there. */
async function fetchCurrent(probing, subject, captures) {
  const call = createCall(probing, subject, captures)
  // Without conditions, which would be those of a copy that nobody has.
  return (
    call && probing.send(await probing.buildRequest({ ...call, headers: withoutConditionTexts(call.headers) }, subject), 'valid', subject)
  )
}
/** A change on the condition that all is as it was seen, where the endpoint has conditions. */
function withIfMatch(call, seen) {
  const tag = seen.header('etag')
  const names = Object.keys(call.headers)
  if (tag === undefined || !names.includes('If-Match')) return call
  return { ...call, headers: { ...withoutConditionTexts(call.headers), 'If-Match': [tag] } }
}
/** Whether what was sent is what is there now. */
async function checkStoredValue(probing, call, subject, seen) {
  if (call.body === undefined || !hasSameSchema(probing.subject, subject) || seen.status !== subject.endpoint.response.status) return
  const value = await readResponseValue(subject.endpoint.response, seen)
  if (value === undefined || isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(call.body.value)))) return
  probing.fail(`what was sent is not what is there: ${JSON.stringify(call.body.value)} became ${JSON.stringify(value)}`)
}
/** Creates something, and gives what its Location leads to. */
async function createResource(probing, by) {
  for (const call of probing.sampleCalls(callsPerChange, by)) {
    const answered = await probing.send(await probing.buildRequest(call, by), 'valid', by)
    const location = answered.header('location')
    const found = isSuccessResponse(answered) && location !== undefined ? probing.resolveUrl(location) : undefined
    if (found !== undefined) return { at: found.subject, captures: found.captures }
  }
  return undefined
}
/** Where the description has nothing, there may be something all the same. */
async function checkForeignLocation({ send: ask, fail: complain }, location) {
  if (location === '') complain('expected a Location, got none')
  if (!location.startsWith('/')) return
  const { status } = await ask({ method: 'GET', target: location, headers: [], body: undefined }, 'other')
  if (status === 404 || status === 405) complain(`Location is ${location}, and GET of it says ${status}`)
}
export const locationRule = {
  name: 'location',
  description: 'What was created is where Location says, and is what was sent.',
  appliesTo: (probing) =>
    canReachHandler(probing) &&
    probing.subject.endpoint.method === 'POST' &&
    Object.keys(probing.subject.endpoint.response.headers).some((name) => name.toLowerCase() === 'location'),
  probe: async (probing) => {
    const { sampleCalls: calls, send: ask, buildRequest: request, resolveUrl: leads, fail: complain } = probing
    for (const call of calls(callsPerChange)) {
      const answered = await ask(await request(call), 'valid')
      if (answered.status !== probing.subject.endpoint.response.status) continue
      const text = answered.header('location') ?? ''
      const found = leads(text)
      if (found === undefined) await checkForeignLocation(probing, text)
      const seen = found && (await fetchCurrent(probing, found.subject, found.captures))
      if (found === undefined || seen === undefined) continue
      if (!isSuccessResponse(seen)) complain(`Location is ${text}, and GET of it says ${seen.status}`)
      await checkStoredValue(probing, call, found.subject, seen)
    }
  },
}
/** The GET at the same path. */
const findGet = ({ siblings }) => siblings.get('GET')
/** Something that is there: created for this where that is possible, else what an answer has linked to. */
async function findExisting(probing, at) {
  for (const creator of probing.findCreators(at)) {
    const made = await createResource(probing, creator)
    if (made?.at.name === at.name) return made.captures
  }
  return probing.listKnownCaptures(at)[0]
}
export const replacedRule = {
  name: 'replaced',
  description: 'PUT is kept, and the second of two alike changes nothing (RFC 9110 §9.2.2).',
  appliesTo: (probing) => canReachHandler(probing) && probing.subject.endpoint.method === 'PUT' && findGet(probing) !== undefined,
  probe: async (probing) => {
    const at = findGet(probing)
    const captures = await findExisting(probing, at)
    if (captures === undefined) return
    for (const call of probing.sampleCalls(callsPerChange)) {
      const before = await fetchCurrent(probing, at, captures)
      if (before === undefined || !isSuccessResponse(before)) return
      const wanted = { ...call, captures: { ...call.captures, ...captures } }
      const tried = await probing.send(await probing.buildRequest(withIfMatch(wanted, before)), 'valid')
      // What the path and the body have in common, the description does not say: what is there has it.
      const here = isSuccessResponse(tried) ? wanted : await withCurrentBody(wanted, probing.subject, at, before)
      const first = isSuccessResponse(tried) ? tried : await probing.send(await probing.buildRequest(withIfMatch(here, before)), 'valid')
      if (!isSuccessResponse(first)) continue
      const after = await fetchCurrent(probing, at, captures)
      if (after === undefined) return
      if (!isSuccessResponse(after)) probing.fail(`PUT said ${first.status}, and GET then says ${after.status}`)
      await checkStoredValue(probing, here, at, after)
      const second = await probing.send(await probing.buildRequest(withIfMatch(here, after)), 'valid')
      if (!isSuccessResponse(second)) probing.fail(`the first PUT said ${first.status}, the same again says ${second.status}`)
      const again = await fetchCurrent(probing, at, captures)
      if (again !== undefined && Buffer.compare(after.body, again.body) !== 0) probing.fail('the same PUT again has changed what is there')
    }
  },
}
export const removedRule = {
  name: 'removed',
  description: 'What was removed is not there any more: GET says 404, and so does a second DELETE, or it says what the first one said.',
  appliesTo: (probing) => canReachHandler(probing) && probing.subject.endpoint.method === 'DELETE' && findGet(probing) !== undefined,
  probe: async (probing) => {
    const at = findGet(probing)
    const captures = await findExisting(probing, at)
    const call = captures && createCall(probing, probing.subject, captures)
    const before = captures && (await fetchCurrent(probing, at, captures))
    if (captures === undefined || call === undefined || before === undefined || !isSuccessResponse(before)) return
    const first = await probing.send(await probing.buildRequest(withIfMatch(call, before)), 'valid')
    if (!isSuccessResponse(first)) probing.fail(`GET said ${before.status}, and DELETE then says ${first.status}`)
    const after = await fetchCurrent(probing, at, captures)
    if (after !== undefined && after.status !== 404 && after.status !== 410)
      probing.fail(`DELETE said ${first.status}, and GET then says ${after.status}`)
    const second = await probing.send(await probing.buildRequest(withIfMatch(call, before)), 'valid')
    if (![404, 410, 412, first.status].includes(second.status))
      probing.fail(`the first DELETE said ${first.status}, the second says ${second.status}`)
  },
}
