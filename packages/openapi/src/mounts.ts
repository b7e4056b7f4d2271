/** The mounts of a document that the toolkit has written: `x-mounts`. */
import { type Mount, mount } from 'lapidary'
import { isJsonObject } from 'lapidary/internal'
import { type JsonObject, toText } from './document.ts'
import { type EndpointNames, toKey } from './names.ts'

/** A mount. */
export interface MountPlan {
  readonly keys: readonly string[]
  readonly prefix: string
  readonly description: string | undefined
}

/** The mounts of a document. */
export function planMounts(root: JsonObject, names: EndpointNames): readonly MountPlan[] {
  const all = root['x-mounts']
  if (!Array.isArray(all)) return []
  return all.filter(isJsonObject).flatMap(({ prefix, description }) => {
    if (typeof prefix !== 'string') return []
    const keys = names.of({ id: toKey(prefix) || 'root', tag: undefined, method: 'GET', path: prefix })
    return [{ keys, prefix, description: toText(description) }]
  })
}

/** @throws TypeError for a malformed prefix */
export const createMount = ({ prefix, description }: MountPlan): Mount =>
  mount(prefix as '/', description === undefined ? {} : { description })
