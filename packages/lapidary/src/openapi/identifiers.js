/** Names that tell things apart, in the spelling that generators of code like. */
const splitIntoWords = (text) => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
const capitalize = (word) => word.charAt(0).toUpperCase() + word.slice(1)
/** `NotFound` for `Not Found`. */
export const toPascalCase = (text) => splitIntoWords(text).map(capitalize).join('')
/** `usersListAll` for `users.list-all`. */
export function toCamelCase(text) {
  const joined = toPascalCase(text)
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}
/** What may be the name of a component. */
const componentPattern = /^[A-Za-z0-9._-]+$/
/** The text where a component may be called so, else the nearest to it. */
export const toComponentName = (text, otherwise) => (componentPattern.test(text) ? text : toPascalCase(text) || otherwise)
/** The name, or with the first number from 2 on with which it is not taken. */
export function findFreeName(name, isTaken) {
  let free = name
  for (let number = 2; isTaken(free); number += 1) free = `${name}${number}`
  return free
}
/** An empty collection. */
export function createNamedComponents() {
  const known = new Map()
  const things = {}
  return {
    nameOf: (wanted, thing) => {
      // Two that differ may well have wanted the same name, and one thing two names.
      const key = JSON.stringify([wanted, thing])
      const name = known.get(key) ?? findFreeName(wanted, (taken) => Object.hasOwn(things, taken))
      known.set(key, name)
      things[name] = thing
      return name
    },
    components: things,
  }
}
