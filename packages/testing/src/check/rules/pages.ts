/** The rule about pagination: by ranges, by cursors and by numbers. */
import { splitHeaderList } from 'lapidary/internal'
import type { Call } from '../../generate/calls.ts'
import { type WireRequest, type WireResponse, withHeaderLines } from '../exchange.ts'
import { canReachHandler, type Probe, type ProbeContext } from '../rule.ts'
import { readSentValue } from './responseBody.ts'
import { parseLinkHeader } from './responseHeaders.ts'

/** The number of pages of a walk; a collection with more items gets larger pages. */
const maxWalkedPages = 20

/** Resolves the target of a link to a path and query. */
function resolveLinkTarget(from: string, to: string): string {
  const { pathname, search } = new URL(to, new URL(from, 'http://localhost'))
  return pathname + search
}

/** Walks the pages, and returns their items and the total count of the last page. */
async function walkPages(
  { send, fail, subject }: ProbeContext,
  firstRequest: WireRequest,
  nextHeader: 'Link' | 'Next-Range',
): Promise<{ readonly items: readonly string[]; readonly total: number }> {
  const { response: reply } = subject.endpoint
  const items: string[] = []
  let total = 0
  let request: WireRequest | undefined = firstRequest
  for (let page = 1; request !== undefined; page += 1) {
    if (page > maxWalkedPages * 3 + 1) fail(`the pages do not end: after ${page - 1} pages there is still another`)
    const response = await send(request, 'valid')
    if (response.status !== reply.status) fail(`page ${page}: expected ${reply.status}, got ${response.status}`)
    const value = await readSentValue(reply, response)
    for (const item of Array.isArray(value) ? value : []) items.push(JSON.stringify(item))
    total = Number(response.header('total-count') ?? Number.NaN)
    const nextRange = response.header('next-range')
    const nextLink = parseLinkHeader(response.header('link') ?? '')?.find(({ rel }) => rel === 'next')
    if (nextRange === undefined && nextLink !== undefined) fail(`page ${page} has a link to the next page, but no Next-Range`)
    if (nextRange !== undefined && nextLink === undefined) fail(`page ${page} has Next-Range, but no link to the next page`)
    if (nextRange === undefined || nextLink === undefined) break
    request =
      nextHeader === 'Link'
        ? { ...withHeaderLines(firstRequest, 'Range'), target: resolveLinkTarget(firstRequest.target, nextLink.target) }
        : withHeaderLines(firstRequest, 'Range', nextRange)
  }
  return { items, total }
}

async function probeRanges(context: ProbeContext, call: Call): Promise<void> {
  const { buildRequest, send, fail, subject } = context
  const request = await buildRequest({ ...call, query: { ...call.query, range: [] }, headers: { ...call.headers, Range: [] } })
  const response = await send(request, 'valid')
  const limit = Math.max(1, Math.ceil(Number(response.header('total-count') ?? 0) / maxWalkedPages))
  for (const field of splitHeaderList(subject.endpoint.responseHeaders['Accept-Ranges'] ?? '')) {
    for (const order of ['asc', 'desc']) {
      for (const nextHeader of ['Link', 'Next-Range'] as const) {
        const firstRequest = withHeaderLines(request, 'Range', `${field}; limit ${limit}; order ${order}`)
        const { items, total } = await walkPages(context, firstRequest, nextHeader)
        const distinct = new Set(items).size
        const walk = `by ${field}, ${order}, following ${nextHeader}, ${limit} items a page`
        if (distinct < items.length) fail(`${walk}: ${items.length - distinct} items are on two pages`)
        if (total !== items.length) fail(`${walk}: Total-Count is ${total}, the pages have ${items.length} items`)
      }
    }
  }
}

/** A page of an endpoint with cursors or numbers. */
interface ObservedPage {
  readonly response: WireResponse
  readonly items: readonly string[]
  /** Returns the target of a link of the page, by its relation. */
  readonly getTarget: (relation: string) => string | undefined
  /** Returns a member of the body, if the body is an object. */
  readonly getMember: (name: string | undefined) => unknown
}

/** Texts of query parameters, in place of those of a call. */
type Selection = Readonly<Record<string, string | number>>

const select = ({ buildRequest }: ProbeContext, call: Call, selection: Selection): Promise<WireRequest> =>
  buildRequest({
    ...call,
    query: { ...call.query, ...Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, [`${value}`]])) },
  })

/** Requests a page, which has to be a success with at most `limit` items. */
async function requestPage(
  { send, fail, subject }: ProbeContext,
  request: WireRequest,
  limit: number,
  place: string,
): Promise<ObservedPage> {
  const { response: reply, pagination } = subject.endpoint
  const response = await send(request, 'valid')
  if (response.status !== reply.status) fail(`${place}: expected ${reply.status}, got ${response.status}`)
  const value = await readSentValue(reply, response)
  const list: unknown = pagination?.body === undefined ? value : Object(value)[pagination.body.items]
  const items = Array.isArray(list) ? list.map((item) => JSON.stringify(item)) : []
  if (items.length > limit) fail(`${place}: expected at most ${limit} items, got ${items.length}`)
  const links = parseLinkHeader(response.header('link') ?? '') ?? []
  return {
    response,
    items,
    getTarget: (relation) => links.find(({ rel }) => rel === relation)?.target,
    getMember: (name) => (name === undefined ? undefined : Object(value)[name]),
  }
}

/** The items of all pages of a walk. `isComplete`: the walk has got to the last page. */
interface Walk {
  readonly items: readonly string[]
  readonly isComplete: boolean
  /** A cursor that a page had. */
  readonly cursor?: string | undefined
}

const getCursor = (target: string): string => new URL(target, 'http://localhost').searchParams.get('cursor') ?? ''

/** Walks the pages of one sort, by `Link` or by the cursor of the body. */
async function walkCursors(context: ProbeContext, call: Call, selection: Selection, limit: number, source: string): Promise<Walk> {
  const { fail, subject } = context
  const nextName = subject.endpoint.pagination?.body?.next
  const first = await select(context, call, { ...selection, limit })
  const items: string[] = []
  let request = first
  let lastCursor: string | undefined
  for (let page = 1; page <= maxWalkedPages; page += 1) {
    const { items: own, getTarget, getMember } = await requestPage(context, request, limit, `page ${page}`)
    items.push(...own)
    const target = getTarget('next')
    if (nextName !== undefined) {
      const [next, linked] = [getMember(nextName), target === undefined ? undefined : getCursor(target)]
      if (next !== linked)
        fail(
          `page ${page} has the cursor ${next ?? 'none'} in the member "${nextName}", and ${linked ?? 'none'} in the link to the next page`,
        )
    }
    if (target === undefined) return { items, isComplete: true, cursor: lastCursor }
    lastCursor = getCursor(target)
    request =
      source === 'Link'
        ? { ...first, target: resolveLinkTarget(first.target, target) }
        : await select(context, call, { ...selection, limit, cursor: lastCursor })
  }
  return { items, isComplete: false, cursor: lastCursor }
}

/** Compares the items of small pages with those of large ones. */
function compareWalks({ fail }: ProbeContext, place: string, small: Walk, large: Walk): void {
  const repeated = small.items.length - new Set(small.items).size
  const expectedRepeated = large.items.length - new Set(large.items).size
  if (small.isComplete && large.isComplete) {
    if (repeated > expectedRepeated) fail(`${place}: ${repeated - expectedRepeated} items are on two pages`)
    if (small.items.length !== large.items.length)
      fail(`${place}: expected ${large.items.length} items, as on larger pages, got ${small.items.length}`)
  }
  const length = Math.min(small.items.length, large.items.length)
  const index = small.items.slice(0, length).findIndex((item, at) => item !== large.items[at])
  if (index >= 0) fail(`${place}: item ${index + 1} is another one than on larger pages: ${small.items[index]}`)
}

/** Sends a request that the server has to refuse. */
async function expectRefusal({ send, fail }: ProbeContext, request: WireRequest, place: string, valid: Call): Promise<void> {
  const { status } = await send(request, 'invalid', undefined, undefined, valid)
  if (status !== 400) fail(`${place}: expected 400, got ${status}`)
}

/** How many pages a walk of small pages has, about. */
const smallWalkPages = 8

const listChoices = (choices: unknown): readonly string[] => (Array.isArray(choices) ? choices.map(String) : [])

async function probeCursors(context: ProbeContext, call: Call): Promise<void> {
  const { fail, subject } = context
  const { query, pagination } = subject.endpoint
  const maxLimit = Number(query['limit']?.jsonSchema['maximum'])
  const sorts = listChoices(query['sort']?.jsonSchema['enum'])
  const walks = new Map<string, Walk>()
  for (const sort of sorts) {
    const large = await walkCursors(context, call, { sort }, maxLimit, 'Link')
    walks.set(sort, large)
    const limit = Math.min(maxLimit, Math.max(1, Math.ceil(large.items.length / smallWalkPages)))
    for (const source of ['Link', ...(pagination?.body === undefined ? [] : ['the cursor of the body'])]) {
      const small = await walkCursors(context, call, { sort }, limit, source)
      compareWalks(context, `by ${sort}, following ${source}, ${limit} items a page`, small, large)
      const { cursor } = small
      if (cursor === undefined) continue
      const other = sorts.find((name) => name !== sort)
      if (other !== undefined)
        await expectRefusal(
          context,
          await select(context, call, { sort: other, limit, cursor }),
          `a cursor of the sort ${sort}, with the sort ${other}`,
          call,
        )
      const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`
      await expectRefusal(
        context,
        await select(context, call, { sort, limit, cursor: changed }),
        'a cursor with another first character',
        call,
      )
    }
    const reverse = walks.get(sort.startsWith('-') ? sort.slice(1) : `-${sort}`)
    if (large.isComplete && reverse?.isComplete && large.items.join('\n') !== reverse.items.toReversed().join('\n'))
      fail(`the order by ${sort} is not the reverse of the order by ${sort.startsWith('-') ? sort.slice(1) : `-${sort}`}`)
  }
}

const getPageNumber = (target: string | undefined): number | undefined =>
  target === undefined ? undefined : Number(new URL(target, 'http://localhost').searchParams.get('page'))

/** Walks the pages by their numbers; the requests of all but the first are those of `Link`. */
async function walkNumbers(context: ProbeContext, call: Call, limit: number): Promise<Walk & { readonly total: number }> {
  const { fail, subject } = context
  const totalName = subject.endpoint.pagination?.body?.total
  const first = await select(context, call, { page: 1, limit })
  const items: string[] = []
  let request = first
  let total = 0
  for (let page = 1; page <= maxWalkedPages; page += 1) {
    const place = `page ${page} of ${limit} items`
    const { response, items: own, getTarget, getMember } = await requestPage(context, request, limit, place)
    items.push(...own)
    total = Number(totalName === undefined ? response.header('total-count') : getMember(totalName))
    const last = Math.max(1, Math.ceil(total / limit))
    const expected = { first: 1, prev: page === 1 ? undefined : page - 1, next: page < last ? page + 1 : undefined, last }
    for (const [relation, number] of Object.entries(expected)) {
      const linked = getPageNumber(getTarget(relation))
      if (linked !== number)
        fail(`${place}, of ${total} in all: expected the link "${relation}" to lead to page ${number ?? 'none'}, got ${linked ?? 'none'}`)
    }
    const target = getTarget('next')
    if (target === undefined) return { items, total, isComplete: true }
    request = { ...first, target: resolveLinkTarget(first.target, target) }
  }
  return { items, total, isComplete: false }
}

async function probeNumbers(context: ProbeContext, call: Call): Promise<void> {
  const { fail, subject } = context
  const maxLimit = Number(subject.endpoint.query['limit']?.jsonSchema['maximum'])
  const large = await walkNumbers(context, call, maxLimit)
  const limit = Math.min(maxLimit, Math.max(1, Math.ceil(large.total / smallWalkPages)))
  const small = await walkNumbers(context, call, limit)
  const place = `${limit} items a page`
  compareWalks(context, place, small, large)
  if (small.isComplete && small.total !== small.items.length)
    fail(`${place}: the total is ${small.total}, the pages have ${small.items.length} items`)
  const after = await requestPage(
    context,
    await select(context, call, { page: Math.ceil(large.total / limit) + 1, limit }),
    limit,
    'the page after the last one',
  )
  if (after.items.length > 0 || after.getTarget('next') !== undefined)
    fail(`the page after the last one: expected no items and no link to the next page, got ${after.items.length} items`)
  await expectRefusal(context, await select(context, call, { page: 0, limit }), 'page 0', call)
}

const isRangeEndpoint = ({ response, headers }: ProbeContext['subject']['endpoint']): boolean =>
  response.status === 206 && Object.hasOwn(headers, 'Range')

export const paginationRule: Probe = {
  name: 'pagination',
  description:
    'The pages of a collection contain each item exactly once: by ranges, cursors and numbers, in each order, by each way to the next page.',
  appliesTo: (context) => {
    const { endpoint } = context.subject
    return canReachHandler(context) && (isRangeEndpoint(endpoint) || endpoint.pagination !== undefined)
  },
  probe: async (context) => {
    const [call] = context.sampleCalls(1)
    if (call === undefined) return
    const kind = context.subject.endpoint.pagination?.kind
    if (kind === 'cursor') await probeCursors(context, call)
    else if (kind === 'page') await probeNumbers(context, call)
    else await probeRanges(context, call)
  },
}
