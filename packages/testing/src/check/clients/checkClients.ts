/** Checks what several clients see at the same time: of one item, of a list, of a POST with a key, and of a stream that is resumed. */
import type { RuleFailure } from '../report.ts'
import type { EndpointUnderTest, SequenceRule } from '../rule.ts'
import { formatTrace } from '../sequences/formatTrace.ts'
import * as messages from '../sequences/messages.ts'
import { type PlayContext, Player } from '../sequences/playSteps.ts'
import { oneOrderRule, parallelPostsRule, resumedStreamsRule, walksRule } from '../sequences/rules.ts'
import type { SentRequest } from '../sequences/sendRequests.ts'
import type { SequenceStage } from '../sequences/sequenceStage.ts'
import { createDraw } from '../sequences/step.ts'
import { formatClientScript } from './clientScript.ts'
import type { ClientRequest } from './itemHistory.ts'
import { type FailedRound, findRegister, hasChanges, listRoundSizes, runItemRound } from './itemRound.ts'
import { runPostRound } from './postRound.ts'
import { isResumable, runStreamRound } from './streamRound.ts'
import { hasStablePages, runWalkRound } from './walkRound.ts'

/** The number of requests of a client in a round, about. */
const requestsPerClient = 8
/** The smallest number of rounds about one item. */
const minRounds = 8
/** The number of rounds that are tried to find a shorter history. */
const furtherRounds = 24
/** The number of items that are created while a stream is read. */
const streamedItems = 4
/** The number of rounds for lists and for keys. */
const fewRounds = 4

const toLines = (sent: readonly SentRequest[], redact: (text: string) => string): string[] =>
  formatTrace(
    sent.map((one) => ({ sent: one, item: undefined, isCreation: false })),
    redact,
  )

/** Formats a history: each request with its time. */
function formatHistory(history: readonly ClientRequest[], redact: (text: string) => string): string[] {
  const [first] = history
  const lines = toLines(
    history.map(({ sent }) => sent),
    redact,
  )
  return history.map(({ start, end }, index) => {
    const [from, to] = [start, end].map((time) => (time - (first?.start ?? 0)).toFixed(1))
    return `${from}–${to} ms  ${lines[index]}`
  })
}

interface FailureParts {
  readonly rule: SequenceRule
  readonly subject: EndpointUnderTest
  readonly message: string
  readonly steps: string[]
  readonly script: string | null
  readonly shrinks: number
}

const toFailure = (
  { redact }: SequenceStage,
  { family }: PlayContext,
  { rule, subject, message, steps, script, shrinks }: FailureParts,
): RuleFailure => ({
  ...{ rule: rule.name, cause: `${rule.name}: ${family.item.name}`, description: rule.description, more: 0 },
  ...{ endpoint: family.item.name, route: subject.endpoint.route },
  ...{ violation: redact(message), curl: null, response: null, shrinks, steps, script },
})

/** A failure, or none. `untested`: the API has nothing of the kind. */
type ClientResult = RuleFailure | 'untested' | undefined

/** Checks one item that several clients change. */
async function checkItem(stage: SequenceStage, context: PlayContext, rounds: number): Promise<ClientResult> {
  const { seed, senders, base, redact } = stage
  const { family } = context
  const register = hasChanges(family) ? await findRegister(context) : undefined
  if (register === undefined) return 'untested'
  let best: FailedRound | undefined
  let tried = 0
  const sizes = listRoundSizes(senders.length, rounds)
  const attempt = async (at: number): Promise<void> => {
    const size = sizes[at % sizes.length]
    const failed = size && (await runItemRound(context, register, createDraw(seed, family.item.name, 'clients', at), size))
    if (failed !== undefined && (best === undefined || failed.history.length < best.history.length)) best = failed
  }
  for (let round = 0; round < rounds && best === undefined; round += 1) await attempt(round)
  if (best === undefined) return undefined
  // Other moments may show the fault with fewer requests.
  for (; tried < furtherRounds; tried += 1) await attempt(tried)
  const { player, first, history } = best
  const item = player.items.get(0)
  const message = messages.noOrder(history.length)
  const isLast = ({ sent }: ClientRequest): boolean => sent === best?.last
  const clients = [...new Set(history.map(({ client }) => client))].map((client) =>
    history.flatMap((one) => (one.client === client && !isLast(one) ? [one.sent] : [])),
  )
  const created = item && { sent: item.created, first, id: item.texts.at(-1) ?? '', identifier: family.identifier }
  const last = history.filter(isLast).map(({ sent }) => sent)
  return toFailure(stage, context, {
    ...{ rule: oneOrderRule, subject: family.item, message, shrinks: tried },
    steps: [...toLines(item === undefined ? [] : [item.created, first], redact), ...formatHistory(history, redact)],
    script: formatClientScript({
      base,
      rule: oneOrderRule.name,
      message,
      redact,
      created,
      clients: clients.filter((requests) => requests.length > 0),
      last,
    }),
  })
}

/** Checks the lists that clients walk over. */
async function checkWalks(stage: SequenceStage, context: PlayContext): Promise<ClientResult> {
  const { seed, senders, redact } = stage
  const { family } = context
  if (family.list === undefined || !hasStablePages(family)) return 'untested'
  for (let round = 0; round < fewRounds; round += 1) {
    const failed = await runWalkRound(context, createDraw(seed, family.item.name, 'walks', round), senders.length)
    if (failed === undefined) continue
    const { walk, message } = failed
    return toFailure(stage, context, {
      ...{ rule: walksRule, subject: family.list, message, steps: toLines(walk.pages, redact), script: null, shrinks: round },
    })
  }
  return undefined
}

/** Checks POSTs with the same key. */
async function checkPosts(stage: SequenceStage, context: PlayContext): Promise<ClientResult> {
  const { senders, base, redact } = stage
  const { create } = context.family
  if (create.endpoint.idempotent === undefined) return 'untested'
  for (let round = 0; round < fewRounds; round += 1) {
    const failed = await runPostRound(context, senders.length)
    if (failed === undefined) continue
    const { sent, message } = failed
    const clients = senders.map(() => sent.slice(0, 1))
    return toFailure(stage, context, {
      ...{ rule: parallelPostsRule, subject: create, message, steps: toLines(sent, redact), shrinks: round },
      script: formatClientScript({ base, rule: parallelPostsRule.name, message, redact, created: undefined, clients, last: [] }),
    })
  }
  return undefined
}

/** Checks the streams that the creation of items may write to. */
async function checkStreams(stage: SequenceStage, context: PlayContext): Promise<ClientResult> {
  const { run, sender, pool, endpoints, seed, redact } = stage
  let result: ClientResult = 'untested'
  for (const subject of endpoints.filter((one) => isResumable(one) && run.isAuthorized(one))) {
    const player = new Player(context)
    const draw = createDraw(seed, subject.name, 'streams')
    const createItems = async (): Promise<void> => {
      for (let item = 0; item < streamedItems; item += 1) {
        const call = draw.pick(pool.list(context.family.create))
        if (call !== undefined) await player.play({ kind: 'create', item, call, condition: 'none', client: 1 })
      }
    }
    const failed = await runStreamRound({ run, sender, pool }, subject, createItems)
    await player.cleanUp()
    if (failed === 'untested') continue
    result = undefined
    if (failed === undefined) continue
    const { sent, message } = failed
    const steps = toLines(sent, redact)
    return toFailure(stage, context, { rule: resumedStreamsRule, subject, message, steps, script: null, shrinks: 0 })
  }
  return result
}

/**
 * Checks the clients of one family.
 *
 * @param found the failures; those of clients are added
 * @returns the names of the rules that were tested
 */
export async function checkClients(
  stage: SequenceStage,
  context: PlayContext,
  steps: number,
  found: RuleFailure[],
): Promise<ReadonlySet<string>> {
  const { senders, rules } = stage
  const tested = new Set<string>()
  if (senders.length < 2) return tested
  const rounds = Math.max(minRounds, Math.floor(steps / (senders.length * requestsPerClient)))
  const parts: readonly (readonly [SequenceRule, () => Promise<ClientResult>])[] = [
    [oneOrderRule, () => checkItem(stage, context, rounds)],
    [walksRule, () => checkWalks(stage, context)],
    [parallelPostsRule, () => checkPosts(stage, context)],
    [resumedStreamsRule, () => checkStreams(stage, context)],
  ]
  for (const [{ name }, check] of parts) {
    if (!rules.some((rule) => rule.name === name)) continue
    const result = await check()
    if (result === 'untested') continue
    tested.add(name)
    if (result !== undefined) found.push(result)
  }
  return tested
}
