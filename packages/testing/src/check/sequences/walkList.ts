/** Walks over the pages of a list, by their links. */
import type { AnyEndpoint } from 'lapidary'
import { isJsonObject } from 'lapidary/internal'
import type { Call } from '../../generate/calls.ts'
import { type WireRequest, withHeaderLines } from '../exchange.ts'
import type { EndpointUnderTest } from '../rule.ts'
import { parseLinkHeader } from '../rules/responseHeaders.ts'
import { getListMember } from './itemFamily.ts'
import { type Members, parseResponseJson } from './jsonValues.ts'
import type { SentRequest } from './sendRequests.ts'

/** The entries of a walk. */
export interface ListWalk {
  readonly pages: readonly SentRequest[]
  readonly entries: readonly Members[]
  /** Whether the walk got to the last page. */
  readonly isComplete: boolean
}

/** The number of pages after which a walk ends. */
const maxPages = 40

/** The numbers of entries at which a list without pages may have been cut. */
const usualLimits: ReadonlySet<number> = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500, 1_000])

/** Returns a call of a list that asks for the largest page, or for a small one. */
export function selectPages({ query, pagination }: AnyEndpoint, call: Call, limit: number | 'largest'): Call {
  const maximum = Number(query['limit']?.jsonSchema['maximum'])
  const size = limit === 'largest' ? maximum : Math.min(limit, Number.isNaN(maximum) ? limit : maximum)
  const first: Call['query'] = pagination?.kind === 'page' ? { page: ['1'] } : pagination?.kind === 'cursor' ? { cursor: [] } : {}
  const limited = pagination !== undefined && Object.hasOwn(query, 'limit') && !Number.isNaN(size)
  return { ...call, query: { ...call.query, ...first, ...(limited ? { limit: [`${size}`] } : {}) } }
}

/** Returns the request of the next page; `undefined` after the last one. */
function getNextRequest(
  { endpoint: { pagination } }: EndpointUnderTest,
  first: WireRequest,
  page: SentRequest,
  body: unknown,
): WireRequest | undefined {
  const link = parseLinkHeader(page.response.header('link') ?? '')?.find(({ rel }) => rel === 'next')
  const base = new URL(page.request.target, 'http://localhost')
  if (link !== undefined) {
    const { pathname, search } = new URL(link.target, base)
    return { ...withHeaderLines(first, 'Range'), target: pathname + search }
  }
  const cursor = pagination?.body?.next === undefined ? undefined : Object(body)[pagination.body.next]
  if (typeof cursor !== 'string' || pagination?.kind !== 'cursor') return undefined
  base.searchParams.set('cursor', cursor)
  return { ...first, target: base.pathname + base.search }
}

/** Walks over a list; `undefined` if the server refuses a page, or sends no list. */
export async function walkList(
  subject: EndpointUnderTest,
  first: WireRequest,
  send: (request: WireRequest) => Promise<SentRequest>,
): Promise<ListWalk | undefined> {
  const member = getListMember(subject.endpoint)
  const pages: SentRequest[] = []
  const entries: Members[] = []
  let request: WireRequest | undefined = first
  while (request !== undefined) {
    if (pages.length === maxPages) return { pages, entries, isComplete: false }
    const page = await send(request)
    pages.push(page)
    const body = parseResponseJson(page.response)
    const list: unknown = member === undefined ? body : Object(body)[member ?? '']
    if (page.response.status >= 300 || !Array.isArray(list)) return undefined
    entries.push(...list.filter(isJsonObject))
    request = getNextRequest(subject, first, page, body)
  }
  const isCut = subject.endpoint.pagination === undefined && pages.length === 1 && usualLimits.has(entries.length)
  return { pages, entries, isComplete: !isCut }
}

/** Whether a list may leave items out: a query parameter of it may be a filter that has a default. */
export const hasFilters = ({ query, pagination }: AnyEndpoint): boolean =>
  Object.keys(query).some((name) => pagination?.parameters.includes(name) !== true && !/^(?:sort|order)/i.test(name))
