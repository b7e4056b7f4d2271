/** What a path says to methods, and that there is nothing at other paths. */
import { elementsOf } from '../../describe/headerField.ts'
import { type Answered, type Asked, namesIn, passing } from '../exchange.ts'
import type { Probe, Probing } from '../predicate.ts'
import { isOpen } from './valid.ts'

/** The methods that Allow has to name: those of the endpoints, HEAD beside GET. OPTIONS may be there. */
function allowed({ siblings }: Pick<Probing, 'siblings'>): readonly string[] {
  const methods = [...siblings.keys()]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()
}

function checkAllow({ complain, ...probing }: Probing, { header }: Answered): void {
  const text = header('allow')
  const named = elementsOf(text ?? '').filter((method) => method !== 'OPTIONS')
  const wanted = allowed(probing)
  if ([...new Set(named)].sort().join() !== wanted.join()) complain(`expected Allow to be ${wanted.join(', ')}, got ${text ?? 'none'}`)
}

/** One of several endpoints at a path speaks for all of them. */
const isFirst = ({ subject, siblings }: Pick<Probing, 'subject' | 'siblings'>): boolean => [...siblings.values()][0]?.name === subject.name

/** The path of an endpoint, with captures that can be read. */
async function atPath({ calls, request }: Probing, method: string): Promise<Asked | undefined> {
  const [call] = calls(1)
  if (call === undefined) return undefined
  const { target } = await request(call)
  return { method, target: target.replace(/\?.*$/s, ''), headers: [], body: undefined }
}

/** Methods of which the registry says that they are safe; then others, which a server may take for what they are not. */
const safe = ['GET', 'PROPFIND', 'REPORT']
const unsafe = ['DELETE', 'PUT', 'PATCH', 'POST']

export const methods: Probe = {
  name: 'methods',
  sentence: 'A method that a path does not have is refused: 405, with exactly those in Allow that it has.',
  isAbout: (probing) => isFirst(probing) && !probing.fallback,
  probe: async (probing) => {
    for (const method of [...safe, ...(probing.write ? unsafe : [])].filter((one) => !probing.siblings.has(one))) {
      const asked = await atPath(probing, method)
      if (asked === undefined) return
      const answered = await probing.ask(asked, 'other')
      if (answered.status !== 405) probing.complain(`${method} is not declared: expected 405, got ${answered.status}`)
      checkAllow(probing, answered)
    }
  },
}

export const options: Probe = {
  name: 'options',
  sentence: 'OPTIONS says which methods a path has (RFC 9110 §9.3.7).',
  isAbout: ({ subject, siblings }) => isFirst({ subject, siblings }) && !siblings.has('OPTIONS'),
  probe: async (probing) => {
    const asked = await atPath(probing, 'OPTIONS')
    if (asked === undefined) return
    const answered = await probing.ask(asked, 'other')
    if (answered.status !== 204 && answered.status !== 200) probing.complain(`expected 204, got ${answered.status}`)
    checkAllow(probing, answered)
  },
}

/** What a server may leave out that does not want to make a body nobody gets (RFC 9110 §9.3.2). */
const costly = new Set(['content-length', 'trailer'])

export const head: Probe = {
  name: 'head',
  sentence: 'HEAD has the status and the headers of GET, and no body (RFC 9110 §9.3.2).',
  isAbout: (probing) => isOpen(probing) && probing.subject.endpoint.method === 'GET' && !probing.siblings.has('HEAD'),
  probe: async ({ calls, request, ask, complain }) => {
    for (const call of calls(5)) {
      const asked = await request(call)
      const get = await ask(asked, 'valid')
      const bare = await ask({ ...asked, method: 'HEAD' }, 'other')
      if (bare.status !== get.status) complain(`GET says ${get.status}, HEAD says ${bare.status}`)
      if (bare.body.length > 0) complain(`expected no body, got ${bare.body.length} bytes`)
      for (const name of new Set([...namesIn(get), ...namesIn(bare)])) {
        if (passing.has(name)) continue
        const [one, other] = [get.header(name), bare.header(name)]
        if (one === other || (costly.has(name) && (one === undefined || other === undefined))) continue
        complain(`${name} is ${one ?? 'not there'} for GET, and ${other ?? 'not there'} for HEAD`)
      }
    }
  },
}

export const nothing: Probe = {
  name: 'nothing',
  sentence: 'Where the description has nothing, there is nothing: 404.',
  isAbout: (probing) => isFirst(probing) && !probing.fallback,
  probe: async (probing) => {
    const asked = await atPath(probing, 'GET')
    if (asked === undefined) return
    const target = `${asked.target.replace(/\/$/, '')}/no-such-path-0`
    if (probing.leads(target) !== undefined || probing.isElsewhere(target)) return
    const answered = await probing.ask({ ...asked, target }, 'other')
    if (answered.status !== 404) probing.complain(`expected 404, got ${answered.status}`)
  },
}
