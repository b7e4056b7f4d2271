/** Rules about methods, and about paths that the API does not have. */
import { getEssence, getEssences, splitHeaderList } from 'lapidary/internal'
import { isVolatileHeader, listHeaderNames, type WireRequest, type WireResponse } from '../exchange.ts'
import { canReachHandler, type Probe, type ProbeContext, type ProbeTarget } from '../rule.ts'

/** Lists the methods that Allow has to name: those of the endpoints, and HEAD beside GET. OPTIONS may be missing. */
function listAllowedMethods({ siblings }: Pick<ProbeTarget, 'siblings'>): readonly string[] {
  const methods = [...siblings.keys()]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()
}

function checkAllowHeader(context: ProbeContext, { header }: WireResponse): void {
  const allow = header('allow')
  const methods = splitHeaderList(allow ?? '').filter((method) => method !== 'OPTIONS')
  const expected = listAllowedMethods(context)
  if ([...new Set(methods)].sort().join() !== expected.join())
    context.fail(`expected Allow to be ${expected.join(', ')}, got ${allow ?? 'none'}`)
}

/** Whether the endpoint represents all endpoints at its path. */
const isFirstAtPath = ({ subject, siblings }: ProbeTarget): boolean => [...siblings.values()][0]?.name === subject.name

/** Builds a request to the path of an endpoint, with valid captures. */
async function buildPathRequest({ sampleCalls, buildRequest }: ProbeContext, method: string): Promise<WireRequest | undefined> {
  const [call] = sampleCalls(1)
  if (call === undefined) return undefined
  const { target } = await buildRequest(call)
  return { method, target: target.replace(/\?.*$/s, ''), headers: [], body: undefined }
}

/** Methods that are registered as safe. */
const safeProbeMethods = ['GET', 'PROPFIND', 'REPORT']
/** Methods that a server may mistake for one of its own. */
const unsafeProbeMethods = ['DELETE', 'PUT', 'PATCH', 'POST']

export const methodsRule: Probe = {
  name: 'methods',
  description: 'A method that a path does not have gets 405, and Allow lists exactly the methods of the path.',
  appliesTo: (context) => isFirstAtPath(context) && !context.fallback,
  probe: async (context) => {
    const methods = [...safeProbeMethods, ...(context.write ? unsafeProbeMethods : [])]
    for (const method of methods.filter((name) => !context.siblings.has(name))) {
      const request = await buildPathRequest(context, method)
      if (request === undefined) return
      const response = await context.send(request, 'other')
      if (response.status !== 405) context.fail(`${method} is not declared: expected 405, got ${response.status}`)
      checkAllowHeader(context, response)
    }
  },
}

export const optionsRule: Probe = {
  name: 'options',
  description: 'OPTIONS lists the methods of a path (RFC 9110 §9.3.7).',
  appliesTo: (context) => isFirstAtPath(context) && !context.siblings.has('OPTIONS'),
  probe: async (context) => {
    const request = await buildPathRequest(context, 'OPTIONS')
    if (request === undefined) return
    const response = await context.send(request, 'other')
    if (response.status !== 204 && response.status !== 200) context.fail(`expected 204, got ${response.status}`)
    checkAllowHeader(context, response)
  },
}

export const acceptPatchRule: Probe = {
  name: 'accept-patch',
  description: 'OPTIONS of a path with PATCH names its media types in Accept-Patch (RFC 5789 §3.1).',
  appliesTo: ({ subject: { endpoint }, siblings }) =>
    endpoint.method === 'PATCH' && endpoint.body !== undefined && !siblings.has('OPTIONS'),
  probe: async (context) => {
    const { body } = context.subject.endpoint
    const request = await buildPathRequest(context, 'OPTIONS')
    if (request === undefined || body === undefined) return
    const { header } = await context.send(request, 'other')
    const named = splitHeaderList(header('accept-patch') ?? '').map(getEssence)
    const missing = getEssences(body).filter((type) => !named.includes(type))
    if (missing.length > 0) context.fail(`expected Accept-Patch to name ${missing.join(', ')}, got ${header('accept-patch') ?? 'none'}`)
  },
}

/** Headers that HEAD may leave out, because a server would need the body to compute them (RFC 9110 §9.3.2). */
const optionalHeadHeaders = new Set(['content-length', 'trailer'])

export const headRule: Probe = {
  name: 'head',
  description: 'HEAD has the status and the headers of GET, and no body (RFC 9110 §9.3.2).',
  appliesTo: (context) => canReachHandler(context) && context.subject.endpoint.method === 'GET' && !context.siblings.has('HEAD'),
  probe: async ({ sampleCalls, buildRequest, send, fail }) => {
    for (const call of sampleCalls(5)) {
      const request = await buildRequest(call)
      const get = await send(request, 'valid')
      const head = await send({ ...request, method: 'HEAD' }, 'other')
      if (head.status !== get.status) fail(`GET has status ${get.status}, HEAD has ${head.status}`)
      if (head.body.length > 0) fail(`expected no body, got ${head.body.length} bytes`)
      for (const name of new Set([...listHeaderNames(get), ...listHeaderNames(head)])) {
        if (isVolatileHeader(name)) continue
        const [ofGet, ofHead] = [get.header(name), head.header(name)]
        if (ofGet === ofHead || (optionalHeadHeaders.has(name) && (ofGet === undefined || ofHead === undefined))) continue
        // A header that counts, or names its request, has another value in each response to GET as well.
        if (ofGet !== undefined && ofHead !== undefined && (await send(request, 'valid')).header(name) !== ofGet) continue
        fail(`GET has ${name}: ${ofGet ?? '(none)'}, HEAD has ${name}: ${ofHead ?? '(none)'}`)
      }
    }
  },
}

export const notFoundRule: Probe = {
  name: 'not-found',
  description: 'A path that the description does not have gets 404.',
  appliesTo: (context) => isFirstAtPath(context) && !context.fallback,
  probe: async (context) => {
    const request = await buildPathRequest(context, 'GET')
    if (request === undefined) return
    const target = `${request.target.replace(/\/$/, '')}/no-such-path-0`
    if (context.resolveUrl(target) !== undefined || context.isServedElsewhere(target)) return
    const response = await context.send({ ...request, target }, 'other')
    if (response.status !== 404) context.fail(`expected 404, got ${response.status}`)
  },
}
