/** All rules, in the order in which they are tested. */
import type { Rule } from '../rule.ts'
import { clientRules, sequenceRules } from '../sequences/rules.ts'
import { deleteRule, locationRule, putRule } from './changes.ts'
import { etagRule, lostUpdatesRule } from './conditions.ts'
import { credentialsRule, scopesRule, wrongCredentialsRule } from './credentials.ts'
import { downloadRule } from './downloads.ts'
import { idempotentRule } from './idempotency.ts'
import {
  acceptRule,
  bodySizeRule,
  capturesRule,
  contentTypeRule,
  cookiesRule,
  formRule,
  optionalBodyRule,
  percentEncodingRule,
  queryRule,
  requestBodyRule,
  requestHeadersRule,
} from './invalidRequests.ts'
import { acceptPatchRule, headRule, methodsRule, notFoundRule, optionsRule } from './methods.ts'
import { paginationRule } from './pages.ts'
import { bodyRule, noStackTraceRule, problemRule, undeclaredMembersRule } from './responseBody.ts'
import { challengeRule, headersRule, linkRule, rateLimitRule, retryAfterRule, setCookieRule, varyRule } from './responseHeaders.ts'
import { completeRule, noServerErrorRule, sizeRule, statusRule, timeoutRule, timeRule, validRequestsRule } from './status.ts'
import { webhookSignatureRule } from './webhookSignature.ts'

/**
 * The rules that `checkServer` tests, as plain values: filter the list, or add your own rules.
 *
 * @example
 * ```ts
 * import { checkServer, rules } from '@lapidary/testing'
 * import { endpoint, noContent } from 'lapidary'
 *
 * const api = { ping: endpoint('GET /ping', { response: noContent }) }
 * await checkServer(api, 'http://127.0.0.1:8081', { rules: rules.filter(({ name }) => name !== 'problem') })
 * ```
 */
export const rules: readonly Rule[] = Object.freeze([
  completeRule,
  noServerErrorRule,
  statusRule,
  headersRule,
  bodyRule,
  problemRule,
  undeclaredMembersRule,
  setCookieRule,
  varyRule,
  challengeRule,
  retryAfterRule,
  rateLimitRule,
  linkRule,
  noStackTraceRule,
  sizeRule,
  timeRule,
  timeoutRule,
  credentialsRule,
  wrongCredentialsRule,
  scopesRule,
  validRequestsRule,
  capturesRule,
  queryRule,
  requestHeadersRule,
  cookiesRule,
  percentEncodingRule,
  requestBodyRule,
  optionalBodyRule,
  formRule,
  contentTypeRule,
  acceptRule,
  bodySizeRule,
  headRule,
  methodsRule,
  optionsRule,
  acceptPatchRule,
  notFoundRule,
  etagRule,
  downloadRule,
  locationRule,
  putRule,
  lostUpdatesRule,
  deleteRule,
  idempotentRule,
  webhookSignatureRule,
  paginationRule,
  ...sequenceRules,
  ...clientRules,
])
