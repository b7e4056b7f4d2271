/** All predicates, in the order in which they are looked at. */
import type { Rule } from '../rule.ts'
import { locationRule, removedRule, replacedRule } from './changes.ts'
import { lostUpdatesRule, tagsRule } from './conditions.ts'
import {
  acceptRule,
  bodiesRule,
  capturesRule,
  contentTypeRule,
  credentialsRule,
  encodingRule,
  queryRule,
  requestHeadersRule,
} from './invalidRequests.ts'
import { headRule, methodsRule, nothingRule, optionsRule } from './methods.ts'
import { walksRule } from './pages.ts'
import { bodyRule, membersRule, noTraceRule, problemRule } from './responseBody.ts'
import { challengeRule, headersRule, linkRule, retryAfterRule, varyRule } from './responseHeaders.ts'
import { completeRule, noServerErrorRule, sizeRule, statusRule, timeRule, validRule } from './status.ts'

/** What holds of every exchange, and what is asked for: to be added to, or filtered. */
export const rules: readonly Rule[] = Object.freeze([
  completeRule,
  noServerErrorRule,
  statusRule,
  headersRule,
  bodyRule,
  problemRule,
  membersRule,
  varyRule,
  challengeRule,
  retryAfterRule,
  linkRule,
  noTraceRule,
  sizeRule,
  timeRule,
  credentialsRule,
  validRule,
  capturesRule,
  queryRule,
  requestHeadersRule,
  encodingRule,
  bodiesRule,
  contentTypeRule,
  acceptRule,
  headRule,
  methodsRule,
  optionsRule,
  nothingRule,
  tagsRule,
  locationRule,
  replacedRule,
  lostUpdatesRule,
  removedRule,
  walksRule,
])
