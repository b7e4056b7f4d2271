/** Judges a list by the models of the items that a sequence has created. */
import type { ComparableMembers } from './comparableMembers.ts'
import type { SequenceFinding } from './finding.ts'
import type { ItemFamily } from './itemFamily.ts'
import { formatValue, type Members } from './jsonValues.ts'
import * as messages from './messages.ts'
import type { PlayedItem } from './playedItem.ts'
import { deletedItemsRule, listItemsRule } from './rules.ts'
import type { ListWalk } from './walkList.ts'

/** Compares an entry of a list with what is known of its item. */
function compareEntry(number: number, { state, texts }: PlayedItem, entry: Members, names: Iterable<string>): SequenceFinding | undefined {
  for (const name of names) {
    const expected = state.expected(name)
    if (expected === undefined || state.isShownBy(name, entry[name])) continue
    return {
      rule: listItemsRule,
      message: messages.otherEntry(name, texts.at(-1) ?? '', formatValue(expected.value), formatValue(entry[name])),
      expectation: { kind: 'member', name, value: expected.value, isEqual: true, entry: number },
    }
  }
  return undefined
}

/**
 * Judges a walk over a list.
 *
 * @param isWholeList whether a list has all items, so that one that is not there is missing
 * @param comparable the members that the list has shown
 */
export function judgeList(
  family: ItemFamily,
  { entries, pages, isComplete }: ListWalk,
  items: ReadonlyMap<number, PlayedItem>,
  isWholeList: boolean,
  comparable: ComparableMembers,
): SequenceFinding | undefined {
  const isOnePage = pages.length === 1
  for (const [number, item] of items) {
    if (item.family !== family || item.state.existence === 'unknown' || !item.state.isIdentified) continue
    const id = item.texts.at(-1) ?? ''
    const own = entries.filter((entry) => String(entry[family.identifier]) === id)
    const expectEntry = (count: 0 | 1): SequenceFinding['expectation'] => (isOnePage ? { kind: 'entry', item: number, count } : undefined)
    if (item.state.existence === 'absent') {
      if (own.length > 0) return { rule: deletedItemsRule, message: messages.deletedItemListed(id), expectation: expectEntry(0) }
      continue
    }
    if (own.length > 1) return { rule: listItemsRule, message: messages.itemListedTwice(id, own.length), expectation: undefined }
    const [entry] = own
    if (entry === undefined) {
      const isExpected = item.state.isListed || (isWholeList && entries.some((other) => Object.hasOwn(other, family.identifier)))
      if (isExpected && isComplete)
        return {
          rule: listItemsRule,
          message: messages.itemNotListed(id),
          expectation: expectEntry(1),
        }
      continue
    }
    const list = pages[0]?.subject ?? family.item
    const names = comparable.select(list, family.required.get(list), entry, family.shared.get(list) ?? [])
    const finding = compareEntry(number, item, entry, names)
    if (finding !== undefined) return finding
    item.state.isListed = true
  }
  return undefined
}
