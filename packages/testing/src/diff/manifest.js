/** `manifest(api)`: what an API is on the wire, as plain data that can be kept and compared. */
import { formatPath, operations } from 'lapidary'
import { getJsonSchema, splitHeaderList } from 'lapidary/internal'
import { sortMembers, toCanonicalSchema } from './canonical.js'

const toParameterManifest = ({ name, required, repeats, jsonSchema }) => ({
  codec: name,
  required,
  repeats,
  schema: toCanonicalSchema(jsonSchema),
})
const mapValues = (record, change) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
const getMediaReading = ({ reader, streamReader }) => {
  if (streamReader !== undefined) return 'items'
  return reader === undefined ? 'never' : 'whole'
}
function toContentManifest(content) {
  if (content === undefined) return null
  const media = content.media.map((medium) => ({ types: [...medium.types], read: getMediaReading(medium) }))
  return {
    media,
    schema: content.schema === undefined ? null : toCanonicalSchema(getJsonSchema(content.schema)),
    streams: media.some(({ read }) => read === 'items'),
  }
}
const toReplyManifest = ({ status, content, headers }) => ({
  status,
  body: toContentManifest(content),
  headers: sortMembers(mapValues(headers, toParameterManifest)),
})
const toAuthManifest = (auth) =>
  auth === undefined ? null : { name: auth.name, kind: sortMembers(auth.openapi), challenge: auth.challenge }
/** What a field is called stands in `Accept-Ranges` of every answer. */
function listRangeFields({ responseHeaders: always, query }) {
  const fields = Object.entries(always).find(([name]) => name.toLowerCase() === 'accept-ranges')?.[1]
  return fields === undefined || query['range']?.name !== 'range' ? null : splitHeaderList(fields)
}
const toEndpointManifest = (endpoint) => ({
  method: endpoint.method,
  path: formatPath(endpoint.segments),
  captures: mapValues(endpoint.params, toParameterManifest),
  query: sortMembers(mapValues(endpoint.query, toParameterManifest)),
  headers: sortMembers(mapValues(endpoint.headers, toParameterManifest)),
  auth: toAuthManifest(endpoint.auth),
  body: toContentManifest(endpoint.body),
  response: toReplyManifest(endpoint.response),
  errors: endpoint.errors.map(toReplyManifest).toSorted((one, other) => one.status - other.status),
  etag: endpoint.etag ?? null,
  always: sortMembers(endpoint.responseHeaders),
  ranges: listRangeFields(endpoint),
})
/**
 * The manifest of an API: equal for APIs that are the same on the wire, in whatever order they were written.
 *
 * @throws TypeError when a schema cannot give its JSON Schema.
 */
export function manifest(api) {
  const leaves = operations(api)
  const endpoints = leaves.flatMap(({ name, operation }) =>
    operation['~kind'] === 'endpoint' ? [[name, toEndpointManifest(operation)]] : [],
  )
  const mounts = leaves.flatMap(({ name, operation }) => (operation['~kind'] === 'mount' ? [[name, operation.prefix]] : []))
  // Through JSON, so that a manifest in memory is the same as one that was kept.
  return JSON.parse(
    JSON.stringify({ manifest: 1, endpoints: sortMembers(Object.fromEntries(endpoints)), mounts: sortMembers(Object.fromEntries(mounts)) }),
  )
}
