/** What changes make of what is there: created, replaced, removed. */
import { isDeepStrictEqual } from 'node:util'
import type { Call } from '../../generate/calls.ts'
import type { Answered } from '../exchange.ts'
import type { Probe, Probing, Subject } from '../predicate.ts'
import { valueIn } from './body.ts'
import { asItIs, isSame, withoutConditions } from './there.ts'
import { isOpen } from './valid.ts'

/** How often each change is tried. */
const often = 3

const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300

/** A call of `subject` for what is there under these captures. */
const callOf = ({ calls }: Probing, subject: Subject, captures: Call['captures']): Call | undefined => {
  const [call] = calls(1, subject)
  return call && { ...call, captures: { ...call.captures, ...captures } }
}

/** What a GET says of what is there. */
async function got(probing: Probing, subject: Subject, captures: Call['captures']): Promise<Answered | undefined> {
  const call = callOf(probing, subject, captures)
  // Without conditions, which would be those of a copy that nobody has.
  return call && probing.ask(await probing.request({ ...call, headers: withoutConditions(call.headers) }, subject), 'valid', subject)
}

/** A change on the condition that all is as it was seen, where the endpoint has conditions. */
function conditioned(call: Call, seen: Answered): Call {
  const tag = seen.header('etag')
  const names = Object.keys(call.headers)
  if (tag === undefined || !names.includes('If-Match')) return call
  return { ...call, headers: { ...withoutConditions(call.headers), 'If-Match': [tag] } }
}

/** Whether what was sent is what is there now. */
async function checkKept(probing: Probing, call: Call, subject: Subject, seen: Answered): Promise<void> {
  if (call.body === undefined || !isSame(probing.subject, subject) || seen.status !== subject.endpoint.response.status) return
  const value = await valueIn(subject.endpoint.response, seen)
  if (value === undefined || isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(call.body.value)))) return
  probing.complain(`what was sent is not what is there: ${JSON.stringify(call.body.value)} became ${JSON.stringify(value)}`)
}

/** Creates something, and gives what its Location leads to. */
async function created(probing: Probing, by: Subject): Promise<{ readonly at: Subject; readonly captures: Call['captures'] } | undefined> {
  for (const call of probing.calls(often, by)) {
    const answered = await probing.ask(await probing.request(call, by), 'valid', by)
    const location = answered.header('location')
    const found = isSuccess(answered) && location !== undefined ? probing.leads(location) : undefined
    if (found !== undefined) return { at: found.subject, captures: found.captures }
  }
  return undefined
}

/** Where the description has nothing, there may be something all the same. */
async function checkElsewhere({ ask, complain }: Probing, location: string): Promise<void> {
  if (location === '') complain('expected a Location, got none')
  if (!location.startsWith('/')) return
  const { status } = await ask({ method: 'GET', target: location, headers: [], body: undefined }, 'other')
  if (status === 404 || status === 405) complain(`Location is ${location}, and GET of it says ${status}`)
}

export const location: Probe = {
  name: 'location',
  sentence: 'What was created is where Location says, and is what was sent.',
  isAbout: (probing) =>
    isOpen(probing) &&
    probing.subject.endpoint.method === 'POST' &&
    Object.keys(probing.subject.endpoint.response.headers).some((name) => name.toLowerCase() === 'location'),
  probe: async (probing) => {
    const { calls, ask, request, leads, complain } = probing
    for (const call of calls(often)) {
      const answered = await ask(await request(call), 'valid')
      if (answered.status !== probing.subject.endpoint.response.status) continue
      const text = answered.header('location') ?? ''
      const found = leads(text)
      if (found === undefined) await checkElsewhere(probing, text)
      const seen = found && (await got(probing, found.subject, found.captures))
      if (found === undefined || seen === undefined) continue
      if (!isSuccess(seen)) complain(`Location is ${text}, and GET of it says ${seen.status}`)
      await checkKept(probing, call, found.subject, seen)
    }
  },
}

/** The GET at the same path. */
const getOf = ({ siblings }: Pick<Probing, 'siblings'>): Subject | undefined => siblings.get('GET')

/** Something that is there: created for this where that is possible, else what an answer has linked to. */
async function existing(probing: Probing, at: Subject): Promise<Call['captures'] | undefined> {
  for (const creator of probing.creators(at)) {
    const made = await created(probing, creator)
    if (made?.at.name === at.name) return made.captures
  }
  return probing.known(at)[0]
}

export const replaced: Probe = {
  name: 'replaced',
  sentence: 'PUT is kept, and the second of two alike changes nothing (RFC 9110 §9.2.2).',
  isAbout: (probing) => isOpen(probing) && probing.subject.endpoint.method === 'PUT' && getOf(probing) !== undefined,
  probe: async (probing) => {
    const at = getOf(probing) as Subject
    const captures = await existing(probing, at)
    if (captures === undefined) return
    for (const call of probing.calls(often)) {
      const before = await got(probing, at, captures)
      if (before === undefined || !isSuccess(before)) return
      const wanted: Call = { ...call, captures: { ...call.captures, ...captures } }
      const tried = await probing.ask(await probing.request(conditioned(wanted, before)), 'valid')
      // What the path and the body have in common, the description does not say: what is there has it.
      const here = isSuccess(tried) ? wanted : await asItIs(wanted, probing.subject, at, before)
      const first = isSuccess(tried) ? tried : await probing.ask(await probing.request(conditioned(here, before)), 'valid')
      if (!isSuccess(first)) continue
      const after = await got(probing, at, captures)
      if (after === undefined) return
      if (!isSuccess(after)) probing.complain(`PUT said ${first.status}, and GET then says ${after.status}`)
      await checkKept(probing, here, at, after)
      const second = await probing.ask(await probing.request(conditioned(here, after)), 'valid')
      if (!isSuccess(second)) probing.complain(`the first PUT said ${first.status}, the same again says ${second.status}`)
      const again = await got(probing, at, captures)
      if (again !== undefined && Buffer.compare(after.body, again.body) !== 0)
        probing.complain('the same PUT again has changed what is there')
    }
  },
}

export const removed: Probe = {
  name: 'removed',
  sentence: 'What was removed is not there any more: GET says 404, and so does a second DELETE, or it says what the first one said.',
  isAbout: (probing) => isOpen(probing) && probing.subject.endpoint.method === 'DELETE' && getOf(probing) !== undefined,
  probe: async (probing) => {
    const at = getOf(probing) as Subject
    const captures = await existing(probing, at)
    const call = captures && callOf(probing, probing.subject, captures)
    const before = captures && (await got(probing, at, captures))
    if (captures === undefined || call === undefined || before === undefined || !isSuccess(before)) return
    const first = await probing.ask(await probing.request(conditioned(call, before)), 'valid')
    if (!isSuccess(first)) probing.complain(`GET said ${before.status}, and DELETE then says ${first.status}`)
    const after = await got(probing, at, captures)
    if (after !== undefined && after.status !== 404 && after.status !== 410)
      probing.complain(`DELETE said ${first.status}, and GET then says ${after.status}`)
    const second = await probing.ask(await probing.request(conditioned(call, before)), 'valid')
    if (![404, 410, 412, first.status].includes(second.status))
      probing.complain(`the first DELETE said ${first.status}, the second says ${second.status}`)
  },
}
