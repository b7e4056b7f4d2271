/** The proof that documentation is true, for any API: what it shows is asked, what it promises is provoked, and nothing else may come. */
import fc from 'fast-check'
import { documentedRequests, type Section } from 'lapidary/docs'
import { describe, expect, test } from 'vitest'
import { listResponseExamples } from '../../../src/contract/exampleValues.ts'
import { isInMediaRange } from '../../../src/http/mediaTypes.ts'
import { samples } from '../samples.ts'
import { type Documented, statusesOf } from './endpoints.ts'
import { accepting, type Exchange, type ExchangeRequest, type ExchangeResponse, toExchangeRequest } from './exchange.ts'
import { hostile } from './hostile.ts'
import { refused } from './rejections.ts'
import { flaws } from './responseErrors.ts'

export interface Proof {
  readonly endpoints: readonly Documented[]
  readonly exchange: Exchange
  /** An exchange where everything is as the documentation finds it. Default: `exchange`. */
  readonly createExchange?: (section: Section) => Promise<Exchange>
  /** Valid credentials, where those of the documentation are no user's; by the name of their scheme. */
  readonly credentials?: Readonly<Record<string, ExchangeRequest['headers']>>
  /** What brings about each status that the toolkit does not give by itself, by the endpoint's name and the status, or by the status alone. */
  readonly provocations: Readonly<Record<string, (right: ExchangeRequest) => Promise<ExchangeResponse>>>
  /** Ways to fail: the responses to the documented requests must be documented then, too. */
  readonly troubles?: readonly Exchange[]
  /** The status of the requests that are shown, where that is not success; by the endpoint's name. */
  readonly unsuccessful?: Readonly<Record<string, number>>
  /** How many hostile requests each endpoint gets. */
  readonly hostility: number
}

const essence = (type: string): string | undefined => type.split(';', 1)[0]
/** What differs from one answer to the next, and the framing of a body that there is not. */
const ofTheMoment = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
const lasting = ({ headers }: ExchangeResponse): ExchangeResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheMoment.has(name)))

/** Headers of which a cache knows what they mean, so that `Vary` does not name them. */
const knownToCaches = new Set([
  'authorization',
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
])

/** The request headers that a documented endpoint reads: a cache may give its response only to requests with the same ones. */
function varyingHeaders({ method, headers, cookies, auth }: Section): readonly string[] {
  if (method !== 'GET' && method !== 'QUERY') return []
  const credentials = (auth?.alternatives ?? []).flat().flatMap((security) => Object.keys(security.headers))
  const declared = [...headers.map(({ name }) => name), ...credentials, ...(cookies.length > 0 ? ['Cookie'] : [])]
  const names = new Map(declared.map((name) => [name.toLowerCase(), name]))
  return [...names.values()].filter((name) => !knownToCaches.has(name.toLowerCase()))
}

/** A provoked status has to be that status in each of its forms: every header that the documentation names was seen. */
function expectHeaders({ builtInErrors: refusals }: Section, status: number, all: readonly ExchangeResponse[]): void {
  const seen = all.flatMap(({ headers }) => Object.keys(headers))
  const named = refusals.filter((refusal) => refusal.status === status).flatMap(({ headers }) => headers)
  for (const { name } of named) expect(seen).toContain(name.toLowerCase())
}

/** Declares the tests of every endpoint. */
export function testDocumentation({
  endpoints,
  exchange,
  createExchange = async () => exchange,
  credentials = {},
  provocations,
  troubles = [],
  unsuccessful = {},
  hostility,
}: Proof): void {
  describe.each(endpoints)('$route', (documented) => {
    const { endpoint, section } = documented
    const shown = documentedRequests(section).map((request) =>
      toExchangeRequest(request, Object.assign({}, ...(section.auth?.alternatives[0] ?? []).map(({ name }) => credentials[name]))),
    )
    const [right] = shown
    if (right === undefined) throw new Error(`${section.name} shows no request: give it examples.`)
    const usual = unsuccessful[section.name] ?? section.responses[0]?.status
    const types = section.responses[0]?.encodings.flatMap((encoding) => encoding.types) ?? []

    test('every request that is shown is answered as it is said', async () => {
      const fresh = await createExchange(section)
      for (const one of shown) {
        const received = await fresh(one)
        // Of a file, or of a list that has ranges.
        expect(received.status).toBe(one.headers['Range'] === undefined ? usual : 206)
        expect(await flaws(documented, received)).toEqual([])
      }
    })

    test.each(usual === section.responses[0]?.status ? types : [])('%s can be had', async (type) => {
      const received = await (await createExchange(section))(accepting(right, type, types))
      const sent = received.headers['content-type'] ?? ''
      // A file has its own type, which may be one of a range.
      expect([received.status, isInMediaRange(sent, type) ? type : sent]).toEqual([usual, type])
      const names = [...(new Set(types.map(essence)).size > 1 ? ['Accept'] : []), ...varyingHeaders(section)]
      expect(received.headers['vary']).toBe(names.length === 0 ? undefined : names.join(', '))
      expect(await flaws(documented, received)).toEqual([])
    })

    if (listResponseExamples(endpoint, endpoint.response, section.name).length > 0) {
      test('an example that its author wrote is an answer, byte for byte', async () => {
        const fresh = await createExchange(section)
        for (const {
          types: [type = ''],
          examples,
        } of section.responses[0]?.encodings ?? []) {
          const bodies: Buffer[] = []
          for (const one of shown) bodies.push(Buffer.from((await fresh(accepting(one, type, types))).body))
          for (const { text, base64 } of examples) expect(bodies.map((body) => body.toString(base64 ? 'base64' : 'utf8'))).toContain(text)
        }
      })
    }

    test.each(statusesOf(section).filter((status) => status !== usual))(
      '%i is answered as it is said, once it is provoked',
      async (status) => {
        const own = provocations[`${section.name} ${status}`] ?? provocations[status]
        const wrong = refused[status]?.(right, section) ?? []
        if (own === undefined && wrong.length === 0) throw new Error(`Nothing provokes the ${status} of ${section.name}: add what does.`)
        const all = own === undefined ? [] : [await own(right)]
        if (own === undefined) for (const one of wrong) all.push(await exchange(one))
        for (const received of all) {
          expect(received.status).toBe(status)
          expect(await flaws(documented, received)).toEqual([])
        }
        expectHeaders(section, status, all)
      },
    )

    test('whatever goes wrong, nothing is answered that is not said', async () => {
      for (const one of shown) for (const trouble of troubles) expect(await flaws(documented, await trouble(one))).toEqual([])
    })

    test('whatever is asked, nothing is answered that is not said', async () => {
      await fc.assert(
        fc.asyncProperty(hostile(section, right), async (one) => {
          expect(await flaws(documented, await exchange(one), one.method === 'HEAD')).toEqual([])
        }),
        { numRuns: samples(hostility) },
      )
    })

    test('HEAD and OPTIONS are answered as it is said of all', async () => {
      const options = await exchange({ ...right, method: 'OPTIONS', body: null })
      expect([options.status, options.headers['allow']?.split(', ')]).toEqual([204, expect.arrayContaining([right.method, 'OPTIONS'])])
      if (right.method !== 'GET') return
      const [get, head] = [await exchange(right), await exchange({ ...right, method: 'HEAD' })]
      expect({ status: head.status, headers: lasting(head), bytes: head.body.length }).toEqual({
        status: get.status,
        headers: lasting(get),
        bytes: 0,
      })
    })
  })
}
