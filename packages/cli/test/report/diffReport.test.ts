/** The names of the rules, under which code scanning and build servers keep what they know of a change. */
import type { Change } from '@lapidary/testing'
import { expect, test } from 'vitest'
import { getChangeRule } from '../../src/report/diffReport.ts'

const change = (place: string, kind: Change['change'] = 'changed'): Change => ({
  endpoint: 'users.list',
  place,
  change: kind,
  clients: 'breaking',
  servers: 'safe',
  reason: '',
})

test.each([
  [change('', 'removed'), 'endpoint-removed'],
  [change('route', 'moved'), 'route-moved'],
  [change('query limit', 'added'), 'query-added'],
  [change('header X-Body header'), 'header-changed'],
  [change('body /name'), 'body-changed'],
  [change('body types'), 'body-types-changed'],
  [change('maxBodySize'), 'max-body-size-changed'],
  [change('invalid credentials'), 'invalid-credentials-changed'],
  [change('response 200', 'added'), 'response-added'],
  [change('response status'), 'response-status-changed'],
  [change('response 200 body /*/age'), 'response-body-changed'],
  [change('response 200 header ETag'), 'response-header-changed'],
  [change('response 200 cookie sid'), 'response-cookie-changed'],
  [change('error 404', 'added'), 'error-added'],
  [change('error 404 https://problems.example/gone body /x'), 'error-body-changed'],
  [change('always Cache-Control', 'removed'), 'always-removed'],
])('%#: %s', (one, rule) => {
  expect(getChangeRule(one)).toBe(rule)
})
