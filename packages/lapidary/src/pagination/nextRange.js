/** Where the next page begins, in plain words: exactly behind the last item of this one, in the middle of equal values too. */
/** How many items are read at once while they are counted. */
const countBatchSize = 1_000
/**
 * The plain words of a place whose own were told in the other order: counts back from it to the nearest value that can be named, the item of the place included.
 * Nobody comes here who follows `Link`, only who turns round at a token in the middle of equal values; it costs what an offset into them does.
 */
async function recountPosition({ value, key }, field, order, source, { getValue: valueIn, getKey: keyIn, isNameable }) {
  const back = order === 'asc' ? 'desc' : 'asc'
  let counted = 1
  for (let after = { value, key }; ; ) {
    const items = await source.page({ field, order: back, after, offset: 0, limit: countBatchSize })
    for (const item of items) {
      const before = valueIn(item)
      if (before !== value && isNameable(before)) return { value: before, offset: counted }
      counted += 1
    }
    const last = items[items.length - 1]
    if (last === undefined || items.length < countBatchSize) return { value: undefined, offset: counted }
    after = { value: valueIn(last), key: keyIn(last) }
  }
}
/** Where the page that was asked for begins, in plain words. */
async function getPageStart({ range: { field, value, offset, order }, position: place }, source, reading) {
  if (place === undefined) return { value, offset }
  // The field was found among those of the source.
  const plain = place.order === order ? place.plain : await recountPosition(place, field, order, source, reading)
  return { value: plain.value, offset: plain.offset + offset }
}
/**
 * The plain words for what follows a full page; `beyond` is the item behind it. A page that ends among equal values names the value before them and
 * counts those that were sent. Where no value that can be named ends within the page, it goes on counting from where the page itself was counted.
 */
export async function computeNextRange(asked, items, beyond, source, reading) {
  const { getValue: valueIn, isNameable } = reading
  const index = items.findLastIndex((item, at) => {
    const value = valueIn(item)
    return value !== valueIn(items[at + 1] ?? beyond) && isNameable(value)
  })
  const value = index < 0 ? null : valueIn(items[index])
  if (value !== null) return { value, offset: items.length - 1 - index }
  const start = await getPageStart(asked, source, reading)
  return { value: start.value, offset: start.offset + items.length }
}
