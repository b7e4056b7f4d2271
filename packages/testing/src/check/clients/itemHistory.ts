/** The history of one item: a register whose changes may have the condition that nothing has changed it before. */
import { findReplies, isSameJson } from 'lapidary/internal'
import type { EndpointUnderTest } from '../rule.ts'
import { type Members, parseRequestMembers, parseResponseJson } from '../sequences/jsonValues.ts'
import { isSuccess } from '../sequences/judgeResponse.ts'
import type { SentRequest } from '../sequences/sendRequests.ts'
import type { HistoryOperation } from './linearizability.ts'

/** A request of a client about an item. */
export interface ClientRequest {
  readonly kind: 'read' | 'replace' | 'change' | 'remove'
  readonly client: number
  readonly sent: SentRequest
  /** The times of `performance.now()` before the request and after the response. */
  readonly start: number
  readonly end: number
  /** What a GET has shown with the ETag that the request has in If-Match. */
  readonly condition: Members | undefined
}

/** How a history is compared. */
interface HistoryOptions {
  /** The members that are compared: the server stores them as they are sent. */
  readonly names: readonly string[]
  /** The members that a GET has to have, or has shown in this history. Another one that is absent is not known. */
  readonly required: ReadonlySet<string>
  /** Whether no two changes write the same, so that an ETag belongs to one of them. */
  readonly isDistinct: boolean
}

/** The state of an item without one. */
export const absentState = 'absent'

/** Stands for a member whose value is not known. */
const unknownValue = '?'

type State = Readonly<Record<string, string>>

const parseState = (state: string): State | undefined => (state === absentState ? undefined : (JSON.parse(state) as State))

const format = (value: unknown): string => (value === undefined ? 'undefined' : JSON.stringify(value))

/** Formats the state of an item with these members; those that are not there are unknown, unless they are `required`. */
export const toState = (members: Members, names: readonly string[], required: ReadonlySet<string>): string =>
  JSON.stringify(
    Object.fromEntries(
      names.map((name) => [name, Object.hasOwn(members, name) || required.has(name) ? format(members[name]) : unknownValue]),
    ),
  )

const matches = (text: string, value: unknown): boolean =>
  text === unknownValue || text === format(value) || (value !== undefined && text !== 'undefined' && isSameJson(JSON.parse(text), value))

const matchesMembers = (state: State, members: Members, names: readonly string[]): boolean =>
  names.every((name) => matches(state[name] ?? unknownValue, members[name]))

const mayCreate = ({ endpoint: { errors, responses } }: EndpointUnderTest): boolean =>
  responses.some(({ status }) => status === 201) || [404, 410].every((status) => findReplies(errors, status).length === 0)

/** Returns the operation of a request. */
export function toOperation(
  { kind, sent, start, end, condition }: ClientRequest,
  { names, required, isDistinct }: HistoryOptions,
): HistoryOperation {
  const { response, request, subject } = sent
  const { status } = response
  const isMissing = status === 404 || status === 410
  const isUnclear = status >= 500 || status === 202 || status === 408
  const members = parseRequestMembers(request) ?? {}
  const shown = parseResponseJson(response) as Members
  /** The names that a GET shows. */
  const listShown = (of: Members): readonly string[] => names.filter((name) => required.has(name) || Object.hasOwn(of, name))
  /** The state after the change, for any response. */
  const change = (state: string): string => {
    const before = parseState(state)
    if (kind === 'remove') return absentState
    if (kind === 'replace' || before === undefined) return toState(members, names, new Set())
    // A merge patch removes a member by null, and other servers store null.
    const written = names.filter((name) => Object.hasOwn(members, name))
    return JSON.stringify({
      ...before,
      ...Object.fromEntries(written.map((name) => [name, members[name] === null ? unknownValue : format(members[name])])),
    })
  }
  const apply = (state: string): readonly string[] => {
    const before = parseState(state)
    if (kind === 'read') {
      if (isMissing) return before === undefined ? [state] : []
      if (!isSuccess(response)) return [state]
      if (before === undefined || !matchesMembers(before, shown, listShown(shown))) return []
      return [JSON.stringify({ ...before, ...parseState(toState(shown, listShown(shown), required)) })]
    }
    if (isUnclear) return [change(state)]
    if (isMissing) return before === undefined ? [state] : []
    if (status === 412 && condition !== undefined) {
      // What a GET does not show may have changed.
      const isKnown = listShown(condition).length === names.length
      return isDistinct && isKnown && before !== undefined && matchesMembers(before, condition, names) ? [] : [state]
    }
    if (!isSuccess(response)) return [state]
    if (before === undefined)
      return kind === 'remove' || (kind === 'replace' && condition === undefined && mayCreate(subject)) ? [change(state)] : []
    return condition === undefined || matchesMembers(before, condition, listShown(condition)) ? [change(state)] : []
  }
  return { start, end, isOptional: isUnclear, apply }
}
