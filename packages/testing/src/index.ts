/** `@lapidary/testing`: checks a server against its description, mocks an API, and compares two versions of it. */
import type { Api } from 'lapidary'
import { type ApiServer, toFetch } from 'lapidary/server'
import { createMockHandler as mockKernel } from './mock/createMockHandler.ts'
import type { MockOptions } from './mock/options.ts'

export { type CheckServerOptions, checkServer } from './check/checkServer.ts'
export { type CompareServersOptions, compareServers } from './check/compareServers.ts'
export type { Exchange, HeaderLine, WireRequest, WireResponse } from './check/exchange.ts'
export { formatJUnitReport, formatReport } from './check/formatReport.ts'
export type { CheckProgress, CheckReport, EndpointReport, RuleFailure } from './check/report.ts'
export type {
  EndpointUnderTest,
  Invariant,
  ObservedExchange,
  Probe,
  ProbeContext,
  RequestKind,
  ResponseLimits,
  Rule,
  Violation,
} from './check/rule.ts'
export { rules } from './check/rules/index.ts'

/** `@lapidary/testing`: an API as plain data that can be kept, and which programs break by a change of it. */
export type { Change, Compatibility } from './diff/change.ts'
export { diff } from './diff/diff.ts'
export { type FormatDiffOptions, formatDiff } from './diff/formatDiff.ts'
export {
  type ApiManifest,
  type AuthManifest,
  type ContentManifest,
  type EndpointManifest,
  type MediaTypeManifest,
  manifest,
  type ParameterManifest,
  type ReplyManifest,
} from './diff/manifest.ts'

// The public door of the mock: a server of nothing but the description.

export type { Delay, EndpointNames, Fault, Faults, MockHandler, MockHandlerOf, MockOptions, MountNames } from './mock/options.ts'

/**
 * Serves an API of nothing but its description: `listen(mock(api), { port: 8081 })`. Requests are read and refused as by any server of it, and
 * answered with the examples of the description or with values that its schemas allow, the same for the same request. What has the shape of a
 * `collection` keeps what it is given, until the program ends.
 *
 * @throws TypeError as `serve` does, and for options that cannot be meant.
 */
export function mock<const A extends Api>(api: A, options: MockOptions<NoInfer<A>> = {}): ApiServer {
  const kernel = mockKernel<A>(api, options)
  return Object.assign(kernel, { fetch: toFetch(kernel) })
}
