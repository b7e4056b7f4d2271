/** Several clients read, change and delete one item at the same time. */
import { isJsonObject } from 'lapidary/internal'
import type { Call } from '../../generate/calls.ts'
import { withHeaderLines, withoutConditions } from '../exchange.ts'
import type { EndpointUnderTest } from '../rule.ts'
import type { ItemFamily } from '../sequences/itemFamily.ts'
import { hasContent, isSameValue, type Members, parseRequestMembers, parseResponseJson } from '../sequences/jsonValues.ts'
import { isSuccess } from '../sequences/judgeResponse.ts'
import { type PlayedItem, withIdentifier, withTexts } from '../sequences/playedItem.ts'
import { type PlayContext, Player } from '../sequences/playSteps.ts'
import type { SentRequest } from '../sequences/sendRequests.ts'
import { type Draw, isConditional } from '../sequences/step.ts'
import { type ClientRequest, toOperation, toState } from './itemHistory.ts'
import { judgeHistory } from './linearizability.ts'

type ChangeKind = Exclude<ClientRequest['kind'], 'read'>

/** The size of a round. */
export interface RoundSize {
  readonly clients: number
  /** The number of requests of each client, at least. */
  readonly requests: number
}

/** A round whose responses fit no order of its requests. */
export interface FailedRound {
  readonly player: Player
  /** The GET before the requests of the clients. */
  readonly first: SentRequest
  /** The GET after them. */
  readonly last: SentRequest
  /** The requests in the order of their start: the plainest history that still has no order. */
  readonly history: readonly ClientRequest[]
}

/** The members that a server stores as they are sent, and the calls that change them. */
export interface ItemRegister {
  readonly names: readonly string[]
  readonly calls: ReadonlyMap<ChangeKind, readonly Call[]>
}

/** The number of changes of an endpoint that are tried before the first round. */
const triedChanges = 5

async function sendTo(
  { run, sender, family }: PlayContext,
  subject: EndpointUnderTest,
  call: Call,
  { texts }: PlayedItem,
  client: number,
  etag?: string,
): Promise<SentRequest> {
  const named = withIdentifier(family, withTexts(subject, call, texts), texts.at(-1) ?? '')
  const request = withoutConditions(await run.buildRequest(subject, named))
  return sender.send(subject, etag === undefined ? request : withHeaderLines(request, 'If-Match', etag), client)
}

async function createItem(context: PlayContext): Promise<readonly [Player, PlayedItem] | undefined> {
  const player = new Player(context)
  const [call] = context.pool.list(context.family.create)
  if (call !== undefined) await player.play({ kind: 'create', item: 0, call, condition: 'none', client: 0 })
  const item = player.items.get(0)
  return item === undefined ? undefined : [player, item]
}

/** Returns the calls whose bodies differ in these members. */
function keepDistinct(calls: readonly Call[], names: readonly string[]): readonly Call[] {
  const seen = new Set<string>()
  return calls.filter(({ body }) => {
    const members = isJsonObject(body?.value) ? body.value : {}
    const text = JSON.stringify(names.map((name) => members[name] ?? null))
    const isNew = !seen.has(text) && names.some((name) => Object.hasOwn(members, name))
    seen.add(text)
    return isNew
  })
}

/** Selects some calls, from the plainest to the largest: a plain one leaves out members. */
const spreadCalls = (calls: readonly Call[]): readonly Call[] => {
  const distance = Math.max(1, Math.floor((calls.length - 1) / (triedChanges - 1)))
  return calls.filter((_, index) => index % distance === 0).slice(0, triedChanges)
}

/** Finds out which members a GET shows as the last change sent them; `undefined` if there is none. */
export async function findRegister(context: PlayContext): Promise<ItemRegister | undefined> {
  const { family, pool } = context
  const created = await createItem(context)
  const [readCall] = pool.list(family.item)
  if (created === undefined || readCall === undefined) return undefined
  const [player, item] = created
  const wrong = new Set<string>()
  const seen = new Set<string>()
  for (const subject of [family.replace, family.change]) {
    for (const call of subject === undefined ? [] : spreadCalls(pool.list(subject))) {
      if (subject === undefined) continue
      const etag = isConditional(subject) ? (await sendTo(context, family.item, readCall, item, 0)).response.header('etag') : undefined
      const changed = await sendTo(context, subject, call, item, 0, etag)
      const read = await sendTo(context, family.item, readCall, item, 0)
      const [sent, shown] = [parseRequestMembers(changed.request), parseResponseJson(read.response)]
      if (!isSuccess(changed.response) || !isSuccess(read.response) || sent === undefined || !isJsonObject(shown)) continue
      for (const [name, value] of Object.entries(sent)) {
        seen.add(name)
        if (!isSameValue(value, shown[name]) && value !== null) wrong.add(name)
      }
    }
  }
  await player.cleanUp()
  const names = [...family.writable].filter((name) => seen.has(name) && !wrong.has(name))
  const listCalls = (kind: 'replace' | 'change'): readonly Call[] => {
    const subject = family[kind]
    return subject === undefined ? [] : keepDistinct(pool.list(subject), names)
  }
  const calls = new Map<ChangeKind, readonly Call[]>([
    ['replace', listCalls('replace')],
    ['change', listCalls('change')],
    ['remove', family.remove === undefined ? [] : pool.list(family.remove).slice(0, 1)],
  ])
  return names.length === 0 || [...calls.values()].every((list) => list.length === 0) ? undefined : { names, calls }
}

/** Leaves out the requests without an effect as long as the history has no order. */
function pruneHistory(
  history: readonly ClientRequest[],
  hasNoOrder: (history: readonly ClientRequest[]) => boolean,
): readonly ClientRequest[] {
  let best = history
  for (const request of history) {
    const hasEffect = request.kind !== 'read' && (isSuccess(request.sent.response) || request.sent.response.status >= 500)
    const rest = best.filter((other) => other !== request)
    if (!hasEffect && hasNoOrder(rest)) best = rest
  }
  return best
}

/** The requests of one client. */
async function runClient(
  context: PlayContext,
  item: PlayedItem,
  register: ItemRegister,
  draw: Draw,
  client: number,
  count: number,
  takeCall: (kind: ChangeKind) => Call | undefined,
): Promise<readonly ClientRequest[]> {
  const { family, pool } = context
  const [readCall] = pool.list(family.item)
  const kinds = [...register.calls].flatMap(([kind, calls]) => (calls.length > 0 && kind !== 'remove' ? [kind] : []))
  const hasRemove = (register.calls.get('remove') ?? []).length > 0
  const requests: ClientRequest[] = []
  const request = async (kind: ClientRequest['kind'], subject: EndpointUnderTest, call: Call, etag?: string, condition?: Members) => {
    const start = performance.now()
    const sent = await sendTo(context, subject, call, item, client, etag)
    requests.push({ kind, client, sent, start, end: performance.now(), condition })
    return sent.response
  }
  while (requests.length < count) {
    const kind = hasRemove && draw.below(16) === 0 ? 'remove' : draw.pick([...kinds, 'read' as const])
    const subject = kind === undefined || kind === 'read' ? family.item : family[kind]
    const call = kind === undefined || kind === 'read' ? readCall : takeCall(kind)
    if (kind === undefined || readCall === undefined || subject === undefined || call === undefined) break
    if (kind === 'read') {
      await request('read', subject, call)
      continue
    }
    const isTagged = isConditional(subject) && (subject.endpoint.etag === 'required' || draw.below(3) > 0)
    const read = isTagged ? await request('read', family.item, readCall) : undefined
    const shown = read === undefined || !isSuccess(read) ? undefined : parseResponseJson(read)
    const etag = isJsonObject(shown) ? read?.header('etag') : undefined
    await request(kind, subject, call, etag, etag === undefined ? undefined : (shown as Members))
  }
  return requests
}

/** Runs a round; `undefined`: its responses fit an order. */
export async function runItemRound(
  context: PlayContext,
  register: ItemRegister,
  draw: Draw,
  { clients, requests: count }: RoundSize,
): Promise<FailedRound | undefined> {
  const { family, pool } = context
  const created = await createItem(context)
  const [readCall] = pool.list(family.item)
  if (created === undefined || readCall === undefined) return undefined
  const [player, item] = created
  const before = await sendTo(context, family.item, readCall, item, 0)
  const first = parseResponseJson(before.response)
  if (!isJsonObject(first)) return undefined
  const used = new Set<Call>()
  const takeCall = (kind: ChangeKind): Call | undefined => {
    const calls = register.calls.get(kind) ?? []
    const unused = calls.filter((one) => !used.has(one))
    // The plainest calls come first.
    const call = kind === 'remove' ? calls[0] : unused[draw.below(Math.min(3, unused.length))]
    if (call !== undefined) used.add(call)
    return call
  }
  const runs = Array.from({ length: clients }, (_, client) => runClient(context, item, register, draw, client, count, takeCall))
  const requests = (await Promise.all(runs)).flat()
  const start = performance.now()
  const last = await sendTo(context, family.item, readCall, item, 0)
  requests.push({ kind: 'read', client: 0, sent: last, start, end: performance.now(), condition: undefined })
  const history = requests.toSorted((one, other) => one.start - other.start)
  const { names } = register
  const reads = [first, ...requests.filter(({ kind }) => kind === 'read').map(({ sent }) => parseResponseJson(sent.response))]
  const shown = names.filter((name) => reads.some((members) => isJsonObject(members) && hasContent(members[name])))
  const required = new Set([...(family.required.get(family.item) ?? []), ...shown])
  const initial = toState(first, names, required)
  const written = requests.filter(({ kind }) => kind === 'replace').map(({ sent }) => parseRequestMembers(sent.request) ?? {})
  const isWhole = written.every((members) => names.every((name) => Object.hasOwn(members, name)))
  const states = [initial, ...written.map((members) => toState(members, names, new Set(names)))]
  const isDistinct = isWhole && new Set(states).size === states.length && !requests.some(({ kind }) => kind === 'change')
  const hasNoOrder = (some: readonly ClientRequest[]): boolean =>
    judgeHistory(
      some.map((one) => toOperation(one, { names, required, isDistinct })),
      initial,
    ) === 'contradicts'
  const isFailed = hasNoOrder(history)
  await player.cleanUp()
  return isFailed ? { player, first: before, last, history: pruneHistory(history, hasNoOrder) } : undefined
}

/** The sizes of rounds, the smallest first: the first history without an order is then a short one. */
export const listRoundSizes = (clients: number, count: number): readonly RoundSize[] =>
  Array.from({ length: count }, (_, round) => ({
    clients: Math.min(clients, 2 + Math.floor((round * clients) / Math.max(1, count))),
    requests: 1 + (round % 4),
  }))

/** Whether clients can change the items of a family. */
export const hasChanges = ({ replace, change }: ItemFamily): boolean => replace !== undefined || change !== undefined
