/** What `diff` says of two schemas, as the body of a request or of a response, in both directions. */
import { neverSchema, parseSchema } from 'lapidary/internal'
import { toCanonicalSchema } from '../../packages/testing/src/diff/canonical.ts'
import { diff } from '../../packages/testing/src/diff/diff.ts'
import { checkSubschema } from '../../packages/testing/src/diff/subschema/checkSubschema.ts'

/** @typedef {import('./suite.mjs').Schema} Schema */
/** @typedef {'safe' | 'unknown' | 'breaking'} Verdict */

const toSchema = (/** @type {Schema} */ schema) => (typeof schema === 'boolean' ? (schema ? {} : neverSchema) : toCanonicalSchema(schema))

/** The manifest of an API whose one endpoint takes values of a schema, or returns them. @param {Schema} schema @param {boolean} isRequest */
function createManifest(schema, isRequest) {
  const body = { media: [{ types: ['application/json'], read: 'whole' }], schema: toSchema(schema), streams: false }
  const none = { captures: {}, query: {}, headers: {}, cookies: {}, errors: [], always: {} }
  const nothing = { auth: null, maxBodySize: null, timeout: null, etag: null, idempotent: null, deprecated: null, ranges: null }
  const response = { status: 200, body: isRequest ? null : body, headers: {} }
  const endpoint = { method: 'POST', path: '/values', ...none, ...nothing, body: isRequest ? body : null, responses: [response] }
  return { manifest: 1, endpoints: { exchange: endpoint }, mounts: {} }
}

/** @param {readonly Verdict[]} verdicts */
const findWorst = (verdicts) => verdicts.find((one) => one === 'breaking') ?? verdicts.find((one) => one === 'unknown') ?? 'safe'

/** Whether the values of the one can be read as the other, and the other way round. @param {Schema} one @param {Schema} other @param {boolean} isRequest */
export function judgePair(one, other, isRequest) {
  const start = performance.now()
  const changes = diff(createManifest(one, isRequest), createManifest(other, isRequest))
  const milliseconds = performance.now() - start
  const [clients, servers] = /** @type {const} */ (['clients', 'servers']).map((side) => findWorst(changes.map((change) => change[side])))
  // Clients write a request, and servers write a response.
  return { milliseconds, forward: isRequest ? clients : servers, backward: isRequest ? servers : clients }
}

/** A value of the writer that the reader refuses, as `diff` searches it. @param {Schema} writer @param {Schema} reader */
export const findWitness = (writer, reader) => checkSubschema(parseSchema(toSchema(writer)), parseSchema(toSchema(reader)))
