/** `@lapidary/testing`: checks servers against a description, mocks APIs, and judges whether two versions of an API are compatible. */
export type { CheckServerOptions } from './check/checkOptions.ts'
export { checkServer } from './check/checkServer.ts'
export { type CompareServersOptions, compareServers } from './check/compareServers.ts'
export type { Exchange, HeaderLine, NoResponse, WireRequest, WireResponse } from './check/exchange.ts'
export { formatReport } from './check/formatReport.ts'
export type { CheckProgress, CheckReport, EndpointReport, RuleFailure } from './check/report.ts'
export type {
  EndpointUnderTest,
  Invariant,
  ObservedExchange,
  Probe,
  ProbeContext,
  ProbeTarget,
  RequestKind,
  ResolvedUrl,
  ResponseLimits,
  Rule,
  ScopedCredentials,
  Violation,
} from './check/rule.ts'
export { rules } from './check/rules/index.ts'
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
  type WebhookManifest,
} from './diff/manifest.ts'
export { type ReplayedChange, type ReplayOptions, type ReplayOutcome, replayChanges } from './diff/replay/replayChanges.ts'
export { formatWitness, type NamedText, type Witness, type WitnessRequest, type WitnessResponse } from './diff/witness/witness.ts'
export type { Call, CallBody, Captures } from './generate/calls.ts'
export type { ParameterTexts } from './generate/parameterTexts.ts'
export { mock } from './mock/mock.ts'
export { type MockReceiver, type MockReceiverOptions, mockReceiver, type ReceivedDelivery } from './mock/mockReceiver.ts'
export type { Delay, EndpointNames, Fault, Faults, MockHandler, MockHandlerOf, MockOptions, MountNames } from './mock/options.ts'
