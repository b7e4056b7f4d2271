/** What all of these servers keep: a shelf of stones, in memory. */
export function createShelf() {
  const stones = new Map([
    [1, { id: 1, name: 'Agate', hardness: 7 }],
    [2, { id: 2, name: 'Talc', hardness: 1 }],
  ])
  let last = 2
  const put = (id, { name, hardness, note }) => {
    const stone = { id, name, hardness, ...(note === undefined ? {} : { note }) }
    stones.set(id, stone)
    return stone
  }
  return {
    search: ({ name = '', least = 0, order = 'name' } = {}) =>
      [...stones.values()]
        .filter((stone) => stone.name.includes(name) && stone.hardness >= least)
        .sort((one, other) => (one[order] < other[order] ? -1 : 1)),
    add: (stone) => {
      last += 1
      return put(last, stone)
    },
    get: (id) => stones.get(id),
    replace: (id, stone) => (stones.has(id) ? put(id, stone) : undefined),
    remove: (id) => stones.delete(id),
  }
}
