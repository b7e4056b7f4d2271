/** Rules about entity tags and conditional requests (RFC 9110 §8.8.3, §13). */
import { type WireRequest, type WireResponse, withHeaderLines, withoutConditions } from '../exchange.ts'
import { canReachHandler, type Probe, type ProbeContext } from '../rule.ts'
import { withCurrentBody } from './changes.ts'

/** Whether a header is an ETag that is not weak. */
export const isStrongTag = (tag: string | undefined): tag is string => tag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag)
export const otherETag = '"no-such-tag"'

/** Returns a request with this condition and no other. */
export const withCondition = (request: WireRequest, name: string, tag: string): WireRequest =>
  withHeaderLines(withoutConditions(request), name, tag)

/** Finds a request that gets the usual response. Known resources come first. */
export async function findUsualResponse({
  subject,
  sampleCalls,
  listKnownCaptures,
  buildRequest,
  send,
}: ProbeContext): Promise<readonly [request: WireRequest, response: WireResponse] | undefined> {
  const [call] = sampleCalls(1)
  if (call === undefined) return undefined
  for (const captures of [...listKnownCaptures(subject).slice(0, 3), call.captures]) {
    const request = withoutConditions(await buildRequest({ ...call, captures }))
    const response = await send(request, 'valid')
    if (response.status === subject.endpoint.response.status) return [request, response]
  }
  return undefined
}

export const etagRule: Probe = {
  name: 'etag',
  description: 'If-None-Match with the current tag gets 304, and If-Match with another tag gets 412.',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.etag === true,
  probe: async (context) => {
    const { send, fail, report, subject } = context
    const [request, usual] = (await findUsualResponse(context)) ?? []
    if (request === undefined) return
    const tag = usual?.header('etag')
    if (!isStrongTag(tag)) return fail(`expected a strong ETag, got ${tag ?? 'none'}`)
    const expectStatus = async (name: string, value: string, status: number): Promise<void> => {
      const fault = `${name} is ${value}`
      const response = await send(withCondition(request, name, value), 'valid', undefined, fault)
      if (response.status !== status) report(`expected ${status}, got ${response.status}`, fault)
      if (status === 304 && response.header('etag') !== tag)
        fail(`expected the 304 to have ETag ${tag}, got ${response.header('etag') ?? 'none'}`)
    }
    const { status } = subject.endpoint.response
    await expectStatus('If-None-Match', tag, 304)
    await expectStatus('If-None-Match', `${otherETag}, W/${tag}`, 304)
    await expectStatus('If-None-Match', '*', 304)
    await expectStatus('If-None-Match', otherETag, status)
    await expectStatus('If-Match', tag, status)
    await expectStatus('If-Match', otherETag, 412)
  },
}

export const lostUpdatesRule: Probe = {
  name: 'lost-updates',
  description: 'A change with another tag in If-Match gets 412. If the endpoint requires a condition, a change without one gets 428.',
  appliesTo: ({ subject, siblings, ...access }) =>
    canReachHandler({ subject, ...access }) && typeof subject.endpoint.etag === 'string' && siblings.has('GET'),
  probe: async (context) => {
    const { subject, siblings, sampleCalls, listKnownCaptures, buildRequest, send, fail } = context
    const get = siblings.get('GET')
    const [call] = sampleCalls(1)
    const [captures] = get === undefined ? [] : listKnownCaptures(get)
    const [getCall] = get === undefined ? [] : sampleCalls(1, get)
    if (get === undefined || call === undefined || captures === undefined || getCall === undefined) return
    const getRequest = withoutConditions(await buildRequest({ ...getCall, captures }, get))
    const before = await send(getRequest, 'valid', get)
    if (before.status !== get.endpoint.response.status) return
    const change = await withCurrentBody({ ...call, captures: { ...call.captures, ...captures } }, subject, get, before)
    const request = await buildRequest(change)
    const refused = await send(withCondition(request, 'If-Match', otherETag), 'valid')
    if (refused.status !== 412) fail(`If-Match is ${otherETag}: expected 412, got ${refused.status}`)
    if (subject.endpoint.etag === 'required') {
      const unconditional = await send(withoutConditions(request), 'invalid', undefined, undefined, change)
      if (unconditional.status !== 428) fail(`there is no If-Match: expected 428, got ${unconditional.status}`)
    }
    const after = await send(getRequest, 'valid', get)
    if (Buffer.compare(before.body, after.body) !== 0) fail('a refused change has changed the resource')
  },
}
