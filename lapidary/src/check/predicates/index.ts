/** All predicates, in the order in which they are looked at. */
import type { Rule } from '../predicate.ts'
import { bodyRule, noTraceRule, problemRule } from './body.ts'
import { locationRule, removedRule, replacedRule } from './changes.ts'
import { lostUpdatesRule, tagsRule } from './conditions.ts'
import { challengeRule, headersRule, linkRule, retryAfterRule, varyRule } from './headers.ts'
import { completeRule, sizeRule, timeRule } from './limits.ts'
import { membersRule } from './members.ts'
import { headRule, methodsRule, nothingRule, optionsRule } from './methods.ts'
import { walksRule } from './pages.ts'
import {
  acceptRule,
  bodiesRule,
  capturesRule,
  contentTypeRule,
  credentialsRule,
  encodingRule,
  queryRule,
  requestHeadersRule,
} from './refused.ts'
import { noServerErrorRule, statusRule } from './status.ts'
import { validRule } from './valid.ts'

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
