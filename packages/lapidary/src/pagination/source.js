/** UTF-16 units in the order of the code points that they begin: surrogates stand for the highest of them. */
const rankCodeUnit = (unit) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)
/** By code point, as databases with a binary collation order text; JavaScript's `<` orders by UTF-16 unit. */
function compareTexts(one, other) {
  const shorter = Math.min(one.length, other.length)
  let index = 0
  while (index < shorter && one.charCodeAt(index) === other.charCodeAt(index)) index += 1
  return index === shorter ? one.length - other.length : rankCodeUnit(one.charCodeAt(index)) - rankCodeUnit(other.charCodeAt(index))
}
function compareFieldValues(one, other, nulls = 'lowest') {
  if (one === null || other === null) return (Number(other === null) - Number(one === null)) * (nulls === 'lowest' ? 1 : -1)
  return typeof one === 'number' && typeof other === 'number' ? one - other : compareTexts(String(one), String(other))
}
/** A small collection in memory as a source. */
export function createArraySource(items, fields, keyOf) {
  return {
    count: () => items.length,
    page: ({ field, order, after, offset, limit }) => {
      const { get: of, nulls } = fields[field]
      const sign = order === 'asc' ? 1 : -1
      const isBeyond = (item) => {
        if (after === undefined) return true
        const difference = compareFieldValues(of(item), after.value, nulls)
        return sign * (difference || (after.key === undefined ? 0 : compareFieldValues(keyOf(item), after.key))) > 0
      }
      return items
        .filter(isBeyond)
        .sort((one, other) => sign * (compareFieldValues(of(one), of(other), nulls) || compareFieldValues(keyOf(one), keyOf(other))))
        .slice(offset, offset + limit)
    },
  }
}
