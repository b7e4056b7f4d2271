/** The report of `diff`: each change is a finding. */
import { type ApiManifest, type Change, formatDiff, formatWitness, type ReplayedChange } from '@lapidary/testing'
import { getVersionPart, isBreakingChange } from '../diff/semver.ts'
import type { Locate } from './locate.ts'
import { formatReplay } from './replayText.ts'
import type { Report, ReportFinding, Severity } from './report.ts'

/** What was compared, and what is intended. */
export interface DiffReportInput {
  readonly changes: readonly Change[]
  readonly allowed: readonly Change[]
  /** What came of the witnesses at a running server; undefined: they were not sent. */
  readonly replayed: readonly ReplayedChange[] | undefined
  /** Whether changes that may break clients count as breaking. */
  readonly isStrict: boolean
  readonly before: ApiManifest
  readonly after: ApiManifest
  /** What was compared: `old.yaml → new.yaml`. */
  readonly subject: string
  readonly milliseconds: number
  /** Finds the line of an endpoint in the new description. */
  readonly locate: Locate
}

/** Words of a place, after which the name of a part follows. */
const placeWords =
  /^(?<part>response status|(?:response|error) (?:\d+|\dXX|default)(?:.*? (?<within>header|cookie|body))?|invalid credentials|body types|webhook|\w+)/

/** The rule of a change: the part of the endpoint, and what happened to it, as `response-body-changed`. */
export function getChangeRule({ place, change }: Change): string {
  const { part = 'endpoint', within } = placeWords.exec(place)?.groups ?? {}
  const [first = ''] = part.split(' ')
  const words = /^(?:response|error) (?:\d|default)/.test(part) ? [first, ...(within === undefined ? [] : [within])] : part.split(' ')
  return [...words.map((word) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)), change].join('-')
}

const changeWords: Readonly<Record<string, string>> = {
  added: 'is new',
  removed: 'is gone',
  changed: 'has changed',
  moved: 'has moved',
  renamed: 'has another name',
}

/** Describes a rule: "Part of the endpoint: response body. It has changed." */
function describeRule(name: string): string {
  const words = name.split('-')
  return `Part of the endpoint: ${words.slice(0, -1).join(' ')}. It ${changeWords[words.at(-1) ?? ''] ?? 'has changed'}.`
}

const getSeverity = (change: Change, isStrict: boolean): Severity =>
  isBreakingChange(change, isStrict) ? 'error' : change.clients === 'unknown' ? 'warning' : 'note'

function summarizeChanges(findings: readonly ReportFinding[]): string {
  if (findings.length === 0) return 'The two APIs are the same on the wire.'
  const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length
  const allowed = findings.filter(({ isAllowed }) => isAllowed).length
  const parts = [
    ...(of('error') > 0 ? [count(of('error'), 'change breaks clients', 'changes break clients')] : ['No change breaks clients']),
    ...(of('warning') > 0 ? [count(of('warning'), 'may break them', 'may break them')] : []),
    ...(of('note') - allowed > 0 ? [count(of('note') - allowed, 'is safe', 'are safe')] : []),
    ...(allowed > 0 ? [count(allowed, 'is allowed', 'are allowed')] : []),
  ]
  return `${parts.join(', ')}.`
}

/** What shows a change: its witness, or what came of it at a running server. */
function formatEvidenceOf({ witness, clients, servers }: Change, replay: ReplayedChange | undefined): string {
  if (replay !== undefined)
    return [`${replay.outcome}: ${replay.reason}`, replay.curl, ...(replay.response === null ? [] : [replay.response])].join('\n\n')
  return witness === undefined || (clients !== 'breaking' && servers !== 'breaking') ? '' : formatWitness(witness)
}

/** A change with what came of it, as plain data. */
function withReplay(change: Change, replay: ReplayedChange | undefined): object {
  if (replay === undefined) return change
  const { change: _, ...result } = replay
  return { ...change, replay: result }
}

/** Creates the report of a comparison. */
export function createDiffReport(input: DiffReportInput): Report {
  const { changes, allowed, replayed, isStrict, before, after, subject, milliseconds, locate } = input
  const replays = new Map(replayed?.map((one) => [one.change, one]))
  const intended = new Set(allowed)
  const findRoute = (name: string): string | undefined => {
    const endpoint = Object.hasOwn(after.endpoints, name) ? after.endpoints[name] : before.endpoints[name]
    return endpoint && `${endpoint.method} ${endpoint.path}`
  }
  const findings = changes.map((change): ReportFinding => {
    const { endpoint, place, reason } = change
    const route = findRoute(endpoint)
    const isAllowed = intended.has(change)
    return {
      rule: getChangeRule(change),
      severity: isAllowed ? 'note' : getSeverity(change, isStrict),
      endpoint,
      route: route ?? endpoint,
      title: `${place} ${change.change}`.trim(),
      message: reason,
      details: formatEvidenceOf(change, replays.get(change)),
      location: locate(endpoint, route),
      isAllowed,
    }
  })
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort()
  return {
    command: 'diff',
    subject,
    summary: summarizeChanges(findings),
    remark: `By semantic versioning, the next version is a ${getVersionPart(changes, isStrict)} one.`,
    rules: rules.map((name) => ({ name, description: describeRule(name) })),
    findings,
    passed: [],
    skipped: [],
    milliseconds,
    formatText: (hasColors) =>
      formatDiff(changes, { colors: hasColors, allowed }) + (replayed === undefined ? '' : formatReplay(replayed, hasColors)),
    data: changes.map((change) => withReplay(change, replays.get(change))),
  }
}
