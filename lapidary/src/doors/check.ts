/** `lapidary/check`: whether a server, anybody's, is what a description says. */
export { type AgreeOptions, agree } from '../check/agree.ts'
export { type CheckOptions, checkServer } from '../check/checkServer.ts'
export type { Answered, Asked, Exchange, Line } from '../check/exchange.ts'
export type { Complaint, Invariant, Kind, Limits, Observed, Predicate, Probe, Probing, Subject } from '../check/predicate.ts'
export { predicates } from '../check/predicates/index.ts'
export type { Checked, Failure, Progress, Report } from '../check/report.ts'
export { reportJunit, reportText } from '../check/reportText.ts'
