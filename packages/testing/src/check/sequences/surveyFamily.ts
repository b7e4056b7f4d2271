/** Finds out whether the items of a family can be tested, and which of their members change by themselves. */
import { isJsonObject } from 'lapidary/internal'
import type { EndpointUnderTest, SequenceRule } from '../rule.ts'
import { ComparableMembers } from './comparableMembers.ts'
import type { ItemFamily } from './itemFamily.ts'
import { isSameValue, parseResponseJson } from './jsonValues.ts'
import { isSuccess } from './judgeResponse.ts'
import * as messages from './messages.ts'
import { withTexts } from './playedItem.ts'
import { type PlayContext, Player } from './playSteps.ts'
import { conditionsRule, deletedItemsRule, listItemsRule, newEtagsRule, repeatedPostsRule, sameEtagsRule } from './rules.ts'
import { isConditional } from './step.ts'
import { hasFilters } from './walkList.ts'

/** What a survey has found. */
export interface FamilySurvey {
  readonly context: PlayContext
  /** Why the family cannot be tested; empty if it can. */
  readonly skipReason: string
}

/** Lists the members that two GETs in a row show differently. */
async function findVolatile({ run, sender, family, pool }: PlayContext, player: Player): Promise<ReadonlySet<string>> {
  const item = player.items.get(0)
  const [call] = pool.list(family.item)
  if (item === undefined || call === undefined) return new Set()
  const read = async (): Promise<unknown> => {
    const request = await run.buildRequest(family.item, withTexts(family.item, call, item.texts))
    return parseResponseJson((await sender.send(family.item, request, 0)).response)
  }
  const [first, second] = [await read(), await read()]
  if (!isJsonObject(first) || !isJsonObject(second)) return new Set()
  return new Set(Object.keys(second).filter((name) => !family.writable.has(name) && !isSameValue(first[name], second[name])))
}

/** Surveys a family by creating one item. */
export async function surveyFamily(base: Omit<PlayContext, 'volatile' | 'isWholeList' | 'comparable'>): Promise<FamilySurvey> {
  const { family, pool } = base
  const isWholeList = family.list !== undefined && !hasFilters(family.list.endpoint)
  const context: PlayContext = { ...base, volatile: new Set(), isWholeList, comparable: new ComparableMembers() }
  const [call] = pool.list(family.create)
  if (call === undefined) return { context, skipReason: 'no request was found for it' }
  const player = new Player(context)
  await player.play({ kind: 'create', item: 0, call, condition: 'none', client: 0 })
  const refused = player.lastRefusal
  if (player.items.get(0) === undefined && player.finding === undefined) {
    const { route } = family.create.endpoint
    const isUnidentified = refused === undefined || isSuccess(refused)
    const skipReason = isUnidentified
      ? messages.unidentifiedItem(route, family.item.endpoint.route, family.identifier)
      : messages.noItemCreated(route, refused.status)
    return { context, skipReason }
  }
  const volatile = new Set([...family.movable, ...(await findVolatile(context, player))])
  await player.cleanUp()
  return { context: { ...context, volatile }, skipReason: '' }
}

/** The endpoints that sequences of a family call. */
export const listFamilyEndpoints = ({ create, item, list, replace, change, remove }: ItemFamily): readonly EndpointUnderTest[] =>
  [create, item, list, replace, change, remove].filter((subject) => subject !== undefined)

/** Lists the rules that sequences of a family can test. */
export function listTestableRules(family: ItemFamily, rules: readonly SequenceRule[]): readonly SequenceRule[] {
  const { item, list, create, replace, change, remove } = family
  const changes = [replace, change, remove].filter((subject) => subject !== undefined)
  const isTagged = item.endpoint.etag === true
  const untested = new Set<SequenceRule>([
    ...(list === undefined ? [listItemsRule] : []),
    ...(remove === undefined ? [deletedItemsRule] : []),
    ...(isTagged ? [] : [sameEtagsRule]),
    ...(isTagged && (replace !== undefined || change !== undefined) ? [] : [newEtagsRule]),
    ...(isTagged || changes.some(isConditional) ? [] : [conditionsRule]),
    ...(create.endpoint.idempotent === undefined ? [repeatedPostsRule] : []),
  ])
  return rules.filter((rule) => rule.scope === 'sequence' && !untested.has(rule))
}
