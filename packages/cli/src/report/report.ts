/** What `check` and `diff` have found, in the one form that every format reads. */

/** How much a finding matters. `error`: the command fails because of it. `warning`: it may be wrong. `note`: it is good to know. */
export type Severity = 'error' | 'warning' | 'note'

/** A place in a file. */
export interface FileLocation {
  /** Relative to the root of the repository where the command runs in one, with slashes. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** What a finding, or a rule without one, is about. */
export interface ReportSubject {
  /** The name of the rule, which stays the same from version to version: `query-changed`. */
  readonly rule: string
  /** The name of the endpoint: `users.list`. */
  readonly endpoint: string
  /** The route of the endpoint: `GET /users/:id`; the name where it has none, as a mount has none. */
  readonly route: string
}

/** One broken rule, or one change. */
export interface ReportFinding extends ReportSubject {
  readonly severity: Severity
  /** What it is, in a few words: `query limit added`. */
  readonly title: string
  /** Identifies the cause: findings with the same cause are one fault, at several places. `undefined`: it is alone. */
  readonly cause?: string
  /** What is wrong, as a sentence. */
  readonly message: string
  /** What shows it: a `curl` command, an exchange. Empty: nothing more. */
  readonly details: string
  readonly location: FileLocation
  /** Whether it is intended. It is then a note. */
  readonly isAllowed: boolean
}

/** The findings of one run of a command. */
export interface Report {
  readonly command: 'check' | 'diff'
  /** What was looked at: the URL of a server, the two versions. */
  readonly subject: string
  /** The result, as a sentence. */
  readonly summary: string
  /** What follows from it, as a sentence. Empty: nothing. */
  readonly remark: string
  /** The rules of the findings, each with what it says. */
  readonly rules: readonly { readonly name: string; readonly description: string }[]
  readonly findings: readonly ReportFinding[]
  /** The rules that were tested and kept. */
  readonly passed: readonly ReportSubject[]
  /** The rules that were not tested, each with the reason. */
  readonly skipped: readonly (ReportSubject & { readonly reason: string })[]
  /** How long it took. */
  readonly milliseconds: number
  /** The same for people, as on a terminal. */
  readonly formatText: (hasColors: boolean) => string
  /** The same for programs, as plain data. */
  readonly data: unknown
}

/** Writes a report in one form. */
export type ReportFormat = (report: Report) => string

/** The findings of these severities. */
export const selectFindings = ({ findings }: Report, ...severities: readonly Severity[]): readonly ReportFinding[] =>
  findings.filter(({ severity }) => severities.includes(severity))
