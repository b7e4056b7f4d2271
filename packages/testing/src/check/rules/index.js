import { locationRule, removedRule, replacedRule } from './changes.js'
import { lostUpdatesRule, tagsRule } from './conditions.js'
import {
  acceptRule,
  bodiesRule,
  capturesRule,
  contentTypeRule,
  credentialsRule,
  encodingRule,
  queryRule,
  requestHeadersRule,
} from './invalidRequests.js'
import { headRule, methodsRule, nothingRule, optionsRule } from './methods.js'
import { walksRule } from './pages.js'
import { bodyRule, membersRule, noTraceRule, problemRule } from './responseBody.js'
import { challengeRule, headersRule, linkRule, retryAfterRule, varyRule } from './responseHeaders.js'
import { completeRule, noServerErrorRule, sizeRule, statusRule, timeRule, validRule } from './status.js'
/** What holds of every exchange, and what is asked for: to be added to, or filtered. */
export const rules = Object.freeze([
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
