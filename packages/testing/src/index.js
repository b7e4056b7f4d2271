import { toFetch } from 'lapidary/server'
import { createMockHandler as mockKernel } from './mock/createMockHandler.js'

export { checkServer } from './check/checkServer.js'
/** `@lapidary/testing`: whether a server, anybody's, is what a description says. */
export { compareServers } from './check/compareServers.js'
export { formatJUnitReport, formatReport } from './check/formatReport.js'
export { rules } from './check/rules/index.js'
export { diff } from './diff/diff.js'
export { formatDiff } from './diff/formatDiff.js'
export { manifest } from './diff/manifest.js'
/**
 * Serves an API of nothing but its description: `listen(mock(api), { port: 8081 })`. Requests are read and refused as by any server of it, and
 * answered with the examples of the description or with values that its schemas allow, the same for the same request. What has the shape of a
 * `collection` keeps what it is given, until the program ends.
 *
 * @throws TypeError as `serve` does, and for options that cannot be meant.
 */
export function mock(api, options = {}) {
  const kernel = mockKernel(api, options)
  return Object.assign(kernel, { fetch: toFetch(kernel) })
}
