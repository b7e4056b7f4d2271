/** Clients walk over the pages of a list, while others create and delete items. */
import type { ItemFamily } from '../sequences/itemFamily.ts'
import * as messages from '../sequences/messages.ts'
import { withTexts } from '../sequences/playedItem.ts'
import { type PlayContext, Player } from '../sequences/playSteps.ts'
import type { Draw, Step } from '../sequences/step.ts'
import { type ListWalk, selectPages, walkList } from '../sequences/walkList.ts'

/** The number of items that exist during the whole round. */
const stableItems = 6
/** The number of pages of a walk, about. */
const pagesOfWalk = 8

/** The number of walks of a client in a round. */
const walksOfClient = 3

/** A walk that shows an item not once. */
export interface FailedWalk {
  readonly walk: ListWalk
  readonly message: string
}

/** Whether the pages of a list stay in place during changes: numbered ones move when an item is deleted. */
export const hasStablePages = ({ list }: ItemFamily): boolean => list !== undefined && list.endpoint.pagination?.kind !== 'page'

/** Runs a round; `undefined`: each walk has each of the items once. */
export async function runWalkRound(context: PlayContext, draw: Draw, clients: number): Promise<FailedWalk | undefined> {
  const { family, run, sender, pool, isWholeList } = context
  const { list } = family
  const [listCall, createCall] = [list === undefined ? undefined : pool.list(list)[0], draw.pick(pool.list(family.create))]
  if (list === undefined || listCall === undefined || createCall === undefined) return undefined
  const [stable, moving] = [new Player(context), new Player(context)]
  const step = (kind: 'create' | 'remove', item: number, client: number): Step => ({
    ...{ kind, item, client, condition: 'none' },
    call: (kind === 'create' ? draw.pick(pool.list(family.create)) : draw.pick(pool.list(family.remove ?? family.create))) ?? createCall,
  })
  for (let item = 0; item < stableItems; item += 1) await stable.play(step('create', item, 0))
  const items = [...stable.items.values()].filter((item) => item.family === family && item.state.isIdentified)
  const parents = items[0]?.texts.slice(0, -1) ?? []
  const walk = async (limit: number | 'largest', client: number): Promise<ListWalk | undefined> => {
    const request = await run.buildRequest(list, withTexts(list, selectPages(list.endpoint, listCall, limit), parents))
    return walkList(list, request, (one) => sender.send(list, one, client))
  }
  const whole = await walk('largest', 0)
  // What moves does not belong to the stable items, and its parent is the same.
  for (const [number, item] of stable.items) if (item.family !== family) moving.items.set(number, item)
  const limit = Math.max(2, Math.ceil((whole?.entries.length ?? 0) / pagesOfWalk))
  let isWalking = true
  const walkers = Array.from({ length: Math.ceil(clients / 2) }, async (_, client) => {
    const walks: (ListWalk | undefined)[] = []
    for (let count = 0; count < walksOfClient; count += 1) walks.push(await walk(limit, client))
    return walks
  })
  const changers = Array.from({ length: Math.floor(clients / 2) }, async (_, at) => {
    const client = Math.ceil(clients / 2) + at
    for (let turn = 0; turn < 20 && isWalking; turn += 1) {
      const item = 100 * (at + 1) + turn
      await moving.play(step('create', item, client))
      if (family.remove !== undefined) await moving.play(step('remove', item, client))
    }
  })
  const walks = (await Promise.all(walkers)).flat().filter((one) => one !== undefined)
  isWalking = false
  await Promise.all(changers)
  for (const [number, item] of [...moving.items]) if (item.family !== family) moving.items.delete(number)
  await moving.cleanUp()
  await stable.cleanUp()
  const isIdentified = whole?.entries.some((entry) => Object.hasOwn(entry, family.identifier)) === true
  for (const one of walks) {
    if (one.pages.length > 1 && list.endpoint.pagination === undefined) continue
    for (const { texts } of items) {
      const id = texts.at(-1)
      const count = one.entries.filter((entry) => String(entry[family.identifier]) === id).length
      const isMissing = count === 0 && isWholeList && isIdentified && one.isComplete
      if (count > 1) return { walk: one, message: messages.repeatedInWalk(id ?? '', count) }
      if (isMissing) return { walk: one, message: messages.missingInWalk(id ?? '') }
    }
  }
  return undefined
}
