/** Judges the response to one step by the model of its item, and records in the model what the response shows. */
import { findReplies, isJsonObject } from 'lapidary/internal'
import type { WireResponse } from '../exchange.ts'
import type { ComparableMembers } from './comparableMembers.ts'
import { expectStatus, refuseStatus, type SequenceFinding } from './finding.ts'
import type { ItemFamily } from './itemFamily.ts'
import type { ItemState } from './itemState.ts'
import { type Members, parseRequestMembers, parseResponseJson } from './jsonValues.ts'
import * as messages from './messages.ts'
import { conditionsRule, createdItemsRule, deletedItemsRule } from './rules.ts'
import type { SentRequest } from './sendRequests.ts'
import type { Condition, StepKind } from './step.ts'

export const isSuccess = ({ status }: WireResponse): boolean => status >= 200 && status < 300 && status !== 202
const isMissing = ({ status }: WireResponse): boolean => status === 404 || status === 410
/** Whether a response leaves open what has happened. */
const isUnclear = ({ status }: WireResponse): boolean =>
  status < 200 || status === 202 || (status >= 300 && status !== 304 && status < 400) || status >= 500

/** What was sent about an item, as a sentence names it: `PUT /stones/1`. */
export const formatLabel = ({ request: { method, target } }: SentRequest): string => `${method} ${target}`

/** What one step has sent. */
export interface JudgedStep {
  readonly kind: StepKind
  readonly sent: SentRequest
  /** The condition that the request has. */
  readonly condition: Condition
}

/** Judges the members of a response that is not the item itself, as far as it shows them. */
export function showPart(
  family: ItemFamily,
  state: ItemState,
  sent: SentRequest,
  comparable: ComparableMembers,
): SequenceFinding | undefined {
  const body = parseResponseJson(sent.response)
  const shared = family.shared.get(sent.subject)
  if (!isJsonObject(body) || shared === undefined) return undefined
  const shown = [...shared].filter((name) => Object.hasOwn(body, name))
  return state.show(body, comparable.select(sent.subject, undefined, body, shown), formatLabel(sent), false)
}

/** Judges a GET of an item that exists. */
function judgeRead(
  family: ItemFamily,
  state: ItemState,
  { kind, sent, condition }: JudgedStep,
  comparable: ComparableMembers,
): SequenceFinding | undefined {
  const { response } = sent
  if (kind === 'revalidate' && condition === 'current' && response.status !== 304)
    return {
      rule: conditionsRule,
      message: messages.currentNotRevalidated(response.status),
      expectation: expectStatus(304),
    }
  if (response.status === 304)
    return kind === 'revalidate' && condition === 'earlier'
      ? {
          rule: conditionsRule,
          message: messages.earlierRevalidated,
          expectation: refuseStatus(304),
        }
      : undefined
  const body = parseResponseJson(response)
  const members: Members = isJsonObject(body) ? body : {}
  const required = new Set([...(family.required.get(sent.subject) ?? []), ...state.listKept()])
  const names = comparable.select(sent.subject, required, members, state.listNames(members))
  const finding = state.show(members, names, formatLabel(sent), true)
  return finding ?? state.showEtag(response.header('etag'), Buffer.from(response.body).toString('latin1'), members)
}

/** Judges a request about an item that was deleted. */
function judgeAbsent(
  family: ItemFamily,
  state: ItemState,
  { kind, sent }: JudgedStep,
  comparable: ComparableMembers,
): SequenceFinding | undefined {
  const { response, subject } = sent
  if (!isSuccess(response) && response.status !== 304) return undefined
  // A second DELETE may get the status of the first.
  if (kind === 'remove') return undefined
  const { errors, responses } = subject.endpoint
  const mayCreate = responses.some(({ status }) => status === 201) || [404, 410].every((status) => findReplies(errors, status).length === 0)
  if (kind === 'replace' && mayCreate) {
    state.existence = 'present'
    state.write(formatLabel(sent), parseRequestMembers(sent.request), true)
    return showPart(family, state, sent, comparable)
  }
  return { rule: deletedItemsRule, message: messages.deletedItem(formatLabel(sent), response.status), expectation: expectStatus(404, 410) }
}

/** Judges a change of an item that exists. */
function judgeChange(
  family: ItemFamily,
  state: ItemState,
  { kind, sent, condition }: JudgedStep,
  comparable: ComparableMembers,
): SequenceFinding | undefined {
  const { response, request } = sent
  const members = parseRequestMembers(request)
  if (!isSuccess(response)) {
    if (response.status === 412 && condition === 'current')
      return { rule: conditionsRule, message: messages.currentRefused, expectation: refuseStatus(412) }
    state.refuse(formatLabel(sent), members)
    return undefined
  }
  if (condition === 'earlier')
    return {
      rule: conditionsRule,
      message: messages.earlierAccepted(response.status),
      expectation: expectStatus(412),
    }
  if (kind === 'remove') {
    state.existence = 'absent'
    state.forget()
    return undefined
  }
  state.write(formatLabel(sent), members, kind === 'replace')
  return showPart(family, state, sent, comparable)
}

/** Judges the response to a step about one item. */
export function judgeItemStep(
  family: ItemFamily,
  state: ItemState,
  step: JudgedStep,
  comparable: ComparableMembers,
): SequenceFinding | undefined {
  const { kind, sent } = step
  const { response } = sent
  const isRead = kind === 'read' || kind === 'revalidate'
  if (state.existence === 'unknown') return undefined
  if (isUnclear(response)) {
    if (!isRead) state.existence = 'unknown'
    return undefined
  }
  if (state.existence === 'absent') return judgeAbsent(family, state, step, comparable)
  if (isMissing(response))
    return {
      rule: createdItemsRule,
      message: messages.missingItem(formatLabel(sent), response.status),
      expectation: refuseStatus(404, 410),
    }
  if (!isRead) return judgeChange(family, state, step, comparable)
  return isSuccess(response) || response.status === 304 ? judgeRead(family, state, step, comparable) : undefined
}
