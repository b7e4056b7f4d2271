/** What `diff` says of two OpenAPI documents: what becomes of the programs that call the old one, and why. */
import { fromOpenApi } from '@lapidary/openapi'
import { diff, manifest } from '@lapidary/testing'

/** @typedef {'breaking' | 'unknown' | 'safe' | 'none'} Verdict  `none`: the documents are the same on the wire */

const severities = /** @type {const} */ (['breaking', 'unknown', 'safe'])

/**
 * Judges two documents.
 *
 * @param {object} base @param {object} revision
 * @param {(change: import('@lapidary/testing').Change) => boolean} [isWanted]  the changes that count
 */
export function judgeDocuments(base, revision, isWanted = () => true) {
  const [old, now] = [base, revision].map((document) => fromOpenApi(document))
  const changes = diff(manifest(old.api), manifest(now.api)).filter(isWanted)
  const severity = severities.find((one) => changes.some(({ clients }) => clients === one))
  const worst = changes.find(({ clients }) => clients === severity)
  return {
    /** @type {Verdict} */
    verdict: severity ?? 'none',
    reason: worst === undefined ? '' : `${worst.place || worst.change}: ${worst.reason}`,
    changes,
    limits: [...old.limits, ...now.limits].map(({ kind, message }) => `${kind}: ${message}`),
  }
}
