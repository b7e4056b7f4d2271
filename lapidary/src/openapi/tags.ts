/** The tags of a document, and which endpoints have them. */
import type { NamedOperation } from '../describe/api.ts'
import type { TagObject } from './document.ts'

/** The tags of an endpoint, by their names or with a description. */
export type GetTags = (place: NamedOperation) => readonly (string | Readonly<TagObject>)[]

/** The first of the keys that lead to an endpoint, if there are several. */
export const getFirstKey: GetTags = ({ path: [key, ...others] }) => (key === undefined || others.length === 0 ? [] : [key])

/** The tags in use, in the order of their first use. */
export interface TagRegistry {
  /** The names of the tags of an endpoint, which are in use from now on. */
  readonly of: (place: NamedOperation) => string[]
  readonly all: () => TagObject[]
}

export function createTagRegistry(tagging: GetTags): TagRegistry {
  const used = new Map<string, TagObject>()
  return {
    of: (place) =>
      tagging(place).map((tag) => {
        const { name, ...more } = typeof tag === 'string' ? { name: tag } : tag
        used.set(name, { name, ...used.get(name), ...more })
        return name
      }),
    all: () => [...used.values()],
  }
}
