/** `lapidary/check`: whether a server, anybody's, is what a description says. */
export { type CompareServersOptions, compareServers } from '../check/agree.ts'
export { type CheckServerOptions, checkServer } from '../check/checkServer.ts'
export type { Exchange, HeaderLine, WireRequest, WireResponse } from '../check/exchange.ts'
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
} from '../check/predicate.ts'
export { rules } from '../check/predicates/index.ts'
export type { CheckProgress, CheckReport, EndpointReport, RuleFailure } from '../check/report.ts'
export { formatJUnitReport, formatReport } from '../check/reportText.ts'
