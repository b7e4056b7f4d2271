/** The names of endpoints: the keys that lead to each in the API. */

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `listPets` of `list-pets`, `List pets` and `listPets`. */
export function toKey(text: string): string {
  const joined = text
    .split(/[^A-Za-z0-9_$]+/)
    .filter((word) => word !== '')
    .map((word, index) => (index === 0 ? word : capitalize(word)))
    .join('')
  const plain = /^[A-Z]+$/.test(joined) ? joined.toLowerCase() : joined.charAt(0).toLowerCase() + joined.slice(1)
  // In an object literal, this one key is the prototype.
  if (plain === '__proto__') return 'proto'
  return /^[0-9]/.test(plain) ? `_${plain}` : plain
}

/** What an operation has a name of. */
export interface NamedOperation {
  readonly id: string | undefined
  readonly tag: string | undefined
  readonly method: string
  readonly path: string
}

/**
 * The keys of an operation. An id with separators has a key for each part, as `repos/get` has. One that begins with the tag has the tag as
 * the first key, as `usersList` of `users` has.
 */
function listKeys({ id, tag, method, path }: NamedOperation): readonly string[] {
  if (id === undefined) return [toKey(`${method.toLowerCase()} ${path.replaceAll(/[{}]/g, ' ')}`)]
  const parts = id
    .split(/[./]+/)
    .map(toKey)
    .filter((key) => key !== '')
  if (parts.length > 1) return parts
  const [only = toKey(`${method.toLowerCase()} ${path}`)] = parts
  const first = tag === undefined ? '' : toKey(tag)
  const rest = first !== '' && only.startsWith(first) ? only.slice(first.length) : ''
  return /^[A-Z0-9]/.test(rest) ? [first, rest.charAt(0).toLowerCase() + rest.slice(1)] : [only]
}

/** Finds unique names: a key is either an endpoint or a group of them. */
export class EndpointNames {
  private readonly endpoints = new Set<string>()
  private readonly groups = new Set<string>()

  of(operation: NamedOperation): readonly string[] {
    const keys = listKeys(operation)
    const path = this.isFree(keys) ? keys : this.findFree(keys)
    this.endpoints.add(path.join('.'))
    path.slice(0, -1).forEach((_, index) => void this.groups.add(path.slice(0, index + 1).join('.')))
    return path
  }

  private isFree(keys: readonly string[]): boolean {
    const name = keys.join('.')
    const isGroupFree = keys.slice(0, -1).every((_, index) => !this.endpoints.has(keys.slice(0, index + 1).join('.')))
    return isGroupFree && !this.endpoints.has(name) && !this.groups.has(name)
  }

  private findFree(keys: readonly string[]): readonly string[] {
    const isBlocked = keys.slice(0, -1).some((_, index) => this.endpoints.has(keys.slice(0, index + 1).join('.')))
    const start = isBlocked ? [keys.map((key, index) => (index === 0 ? key : capitalize(key))).join('')] : keys
    if (this.isFree(start)) return start
    for (let number = 2; ; number += 1) {
      const next = [...start.slice(0, -1), `${start.at(-1)}${number}`]
      if (this.isFree(next)) return next
    }
  }
}

/** Puts values where their keys lead. */
export function nest<Value>(entries: readonly (readonly [path: readonly string[], value: Value])[]): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [path, value] of entries) {
    let here = root
    for (const key of path.slice(0, -1)) {
      // Keys such as "constructor" are inherited members of each object.
      if (!Object.hasOwn(here, key)) here[key] = {}
      here = here[key] as Record<string, unknown>
    }
    here[path.at(-1) ?? ''] = value
  }
  return root
}
