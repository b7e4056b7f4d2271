/** A store of idempotency keys that keeps nothing: one key is always in use, one always belongs to another request. */
import { createHash } from 'node:crypto'
import type { IdempotencyStore } from 'lapidary/server'

/** As a header has them. */
export const keyInUse = '"in use"'
export const keyOfAnother = '"of another"'

/** The key as a store gets it, of an endpoint without credentials. */
const digestOf = (key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([JSON.parse(key), [], null]))
    .digest('hex')

export const plannedKeys: IdempotencyStore = {
  begin: ({ key, fingerprint }) => {
    if (key === digestOf(keyInUse)) return { fingerprint, response: undefined }
    return key === digestOf(keyOfAnother) ? { fingerprint: '', response: undefined } : undefined
  },
  complete: () => {},
  release: () => {},
}
