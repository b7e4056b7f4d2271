/** What a path says to methods, and that there is nothing at other paths. */
import { splitHeaderList } from 'lapidary/internal'
import { listHeaderNames, volatileHeaders } from '../exchange.js'
import { canReachHandler } from './status.js'

/** The methods that Allow has to name: those of the endpoints, HEAD beside GET. OPTIONS may be there. */
function listAllowedMethods({ siblings }) {
  const methods = [...siblings.keys()]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()
}
function checkAllowHeader({ fail: complain, ...probing }, { header }) {
  const text = header('allow')
  const named = splitHeaderList(text ?? '').filter((method) => method !== 'OPTIONS')
  const wanted = listAllowedMethods(probing)
  if ([...new Set(named)].sort().join() !== wanted.join()) complain(`expected Allow to be ${wanted.join(', ')}, got ${text ?? 'none'}`)
}
/** One of several endpoints at a path speaks for all of them. */
const isFirstAtPath = ({ subject, siblings }) => [...siblings.values()][0]?.name === subject.name
/** The path of an endpoint, with captures that can be read. */
async function buildPathRequest({ sampleCalls: calls, buildRequest: request }, method) {
  const [call] = calls(1)
  if (call === undefined) return undefined
  const { target } = await request(call)
  return { method, target: target.replace(/\?.*$/s, ''), headers: [], body: undefined }
}
/** Methods of which the registry says that they are safe; then others, which a server may take for what they are not. */
const safeProbeMethods = ['GET', 'PROPFIND', 'REPORT']
const unsafeProbeMethods = ['DELETE', 'PUT', 'PATCH', 'POST']
export const methodsRule = {
  name: 'methods',
  description: 'A method that a path does not have is refused: 405, with exactly those in Allow that it has.',
  appliesTo: (probing) => isFirstAtPath(probing) && !probing.fallback,
  probe: async (probing) => {
    for (const method of [...safeProbeMethods, ...(probing.write ? unsafeProbeMethods : [])].filter((one) => !probing.siblings.has(one))) {
      const asked = await buildPathRequest(probing, method)
      if (asked === undefined) return
      const answered = await probing.send(asked, 'other')
      if (answered.status !== 405) probing.fail(`${method} is not declared: expected 405, got ${answered.status}`)
      checkAllowHeader(probing, answered)
    }
  },
}
export const optionsRule = {
  name: 'options',
  description: 'OPTIONS says which methods a path has (RFC 9110 §9.3.7).',
  appliesTo: ({ subject, siblings }) => isFirstAtPath({ subject, siblings }) && !siblings.has('OPTIONS'),
  probe: async (probing) => {
    const asked = await buildPathRequest(probing, 'OPTIONS')
    if (asked === undefined) return
    const answered = await probing.send(asked, 'other')
    if (answered.status !== 204 && answered.status !== 200) probing.fail(`expected 204, got ${answered.status}`)
    checkAllowHeader(probing, answered)
  },
}
/** What a server may leave out that does not want to make a body nobody gets (RFC 9110 §9.3.2). */
const optionalHeadHeaders = new Set(['content-length', 'trailer'])
export const headRule = {
  name: 'head',
  description: 'HEAD has the status and the headers of GET, and no body (RFC 9110 §9.3.2).',
  appliesTo: (probing) => canReachHandler(probing) && probing.subject.endpoint.method === 'GET' && !probing.siblings.has('HEAD'),
  probe: async ({ sampleCalls: calls, buildRequest: request, send: ask, fail: complain }) => {
    for (const call of calls(5)) {
      const asked = await request(call)
      const get = await ask(asked, 'valid')
      const bare = await ask({ ...asked, method: 'HEAD' }, 'other')
      if (bare.status !== get.status) complain(`GET says ${get.status}, HEAD says ${bare.status}`)
      if (bare.body.length > 0) complain(`expected no body, got ${bare.body.length} bytes`)
      for (const name of new Set([...listHeaderNames(get), ...listHeaderNames(bare)])) {
        if (volatileHeaders.has(name)) continue
        const [one, other] = [get.header(name), bare.header(name)]
        if (one === other || (optionalHeadHeaders.has(name) && (one === undefined || other === undefined))) continue
        complain(`${name} is ${one ?? 'not there'} for GET, and ${other ?? 'not there'} for HEAD`)
      }
    }
  },
}
export const nothingRule = {
  name: 'nothing',
  description: 'Where the description has nothing, there is nothing: 404.',
  appliesTo: (probing) => isFirstAtPath(probing) && !probing.fallback,
  probe: async (probing) => {
    const asked = await buildPathRequest(probing, 'GET')
    if (asked === undefined) return
    const target = `${asked.target.replace(/\/$/, '')}/no-such-path-0`
    if (probing.resolveUrl(target) !== undefined || probing.isServedElsewhere(target)) return
    const answered = await probing.send({ ...asked, target }, 'other')
    if (answered.status !== 404) probing.fail(`expected 404, got ${answered.status}`)
  },
}
