/** The rules about the grammar of fields, and about those that are meant for browsers. */
import { each, hasField, listValues, matches } from './rule.mjs'

/** @typedef {import('./rule.mjs').Rule} Rule */

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const quoted = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"'
const list = (/** @type {string} */ element) => new RegExp(`^(?:${element})(?:[ \\t]*,[ \\t]*(?:${element}))*$`)
const whole = (/** @type {string} */ text) => new RegExp(`^(?:${text})$`)
const parameters = `(?:[ \\t]*;[ \\t]*${token}=(?:${token}|${quoted}))*`
const mediaType = `${token}/${token}${parameters}`
const imfDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/
const isReference = (/** @type {string} */ value) => !/[\s<>"{}|\\^`]/.test(value) && URL.canParse(value, 'http://a.example')
const languageTag = '[A-Za-z]{1,8}(?:-[0-9A-Za-z]{1,8})*'
const directive = `${token}(?:=(?:${token}|${quoted}))?`
const structuredToken = `[A-Za-z-]+(?:;[ ]*report-to="[^"]*")?`

/** A policy: directives with names of letters, digits and hyphens, and values without commas and semicolons. */
const isSecurityPolicy = (/** @type {string} */ value) =>
  value.split(';').every((one) => /^[ \t]*(?:[0-9A-Za-z-]+(?:[ \t]+[\x21-\x2b\x2d-\x3a\x3c-\x7e]+)*)?[ \t]*$/.test(one))

const cookiePattern =
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+=(?:"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*"|[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)(?:; [\x20-\x3a\x3c-\x7e]+)*$/
const sts = 'strict-transport-security'
const csp = 'content-security-policy'

/** Fields that may stand in a message several times, as their definitions allow. */
const lists = new Set([
  'accept-ranges',
  'allow',
  'cache-control',
  'connection',
  'content-language',
  csp,
  'link',
  'set-cookie',
  'vary',
  'via',
  'www-authenticate',
])

const countFields = (response, name) => listValues(response, name).length
const listAttributes = (/** @type {string} */ cookie) =>
  cookie
    .split(';')
    .slice(1)
    .map((one) => one.split('=')[0]?.trim().toLowerCase())
const isUnique = (/** @type {readonly unknown[]} */ values) => new Set(values).size === values.length
const hasDirective = (/** @type {string} */ name) => (response) =>
  listValues(response, 'cache-control').some((value) => value.includes(`${name}=`))

/** Whether the arguments of a directive are quoted. @param {string} name @param {boolean} isQuoted */
const writesQuotes = (name, isQuoted) =>
  each(hasDirective(name), (response) =>
    listValues(response, 'cache-control').every((value) =>
      [...value.matchAll(new RegExp(`${name}=(.)`, 'g'))].every(([, next]) => (next === '"') === isQuoted),
    ),
  )

/** @param {string} name @param {(values: readonly string[]) => boolean} holds */
const judgesAll = (name, holds) =>
  each(
    (response) => hasField(response, name),
    (response) => holds(listValues(response, name)),
  )

/** @type {readonly Rule[]} */
export const fieldRules = [
  ['response_directive_no_cache', 'SHOULD', 'RFC 9111 §5.2.2.4', 'the argument of `no-cache` is quoted', writesQuotes('no-cache', true)],
  ['response_directive_private', 'SHOULD', 'RFC 9111 §5.2.2.7', 'the argument of `private` is quoted', writesQuotes('private', true)],
  ['response_directive_max_age', 'MUST', 'RFC 9111 §5.2.2.1', 'the argument of `max-age` is not quoted', writesQuotes('max-age', false)],
  [
    'response_directive_s_maxage',
    'MUST',
    'RFC 9111 §5.2.2.10',
    'the argument of `s-maxage` is not quoted',
    writesQuotes('s-maxage', false),
  ],
  [
    'duplicate_fields',
    'MUST',
    'RFC 9110 §5.3',
    'no field stands twice but those that are lists',
    each(
      () => true,
      ({ headers }) => isUnique(headers.map(([name]) => name).filter((name) => !lists.has(name))),
    ),
  ],
  ['cookie_grammar', 'grammar', 'RFC 6265 §4.1.1', 'Set-Cookie', matches('set-cookie', cookiePattern)],
  [
    'duplicate_cookie_attribute',
    'SHOULD',
    'RFC 6265 §4.1.1',
    'a cookie has no attribute twice',
    judgesAll('set-cookie', (values) => values.every((value) => isUnique(listAttributes(value)))),
  ],
  [
    'duplicate_cookies',
    'SHOULD',
    'RFC 6265 §4.1.1',
    'no cookie is set twice',
    judgesAll('set-cookie', (values) => isUnique(values.map((value) => value.split('=')[0]))),
  ],
  [
    'cookie_IMF_fixdate',
    'SHOULD',
    'RFC 6265 §4.1.1',
    '`Expires` of a cookie is a date',
    judgesAll('set-cookie', (values) =>
      values.every((value) => imfDate.test(/expires=([^;]*)/i.exec(value)?.[1] ?? 'Thu, 01 Jan 1970 00:00:00 GMT')),
    ),
  ],
  ['coep_grammar', 'grammar', 'HTML', 'Cross-Origin-Embedder-Policy', matches('cross-origin-embedder-policy', whole(structuredToken))],
  [
    'corp_grammar',
    'grammar',
    'Fetch',
    'Cross-Origin-Resource-Policy',
    matches('cross-origin-resource-policy', /^(?:same-origin|same-site|cross-origin)$/),
  ],
  ['csp_grammar', 'grammar', 'CSP', 'Content-Security-Policy', matches(csp, isSecurityPolicy)],
  ['csp_ro_grammar', 'grammar', 'CSP', 'Content-Security-Policy-Report-Only', matches(`${csp}-report-only`, isSecurityPolicy)],
  [
    'permissions_policy_grammar',
    'grammar',
    'Permissions Policy',
    'Permissions-Policy',
    matches('permissions-policy', list(`${token}=(?:\\*|\\([^()]*\\))`)),
  ],
  ['xcto_grammar', 'grammar', 'Fetch', 'X-Content-Type-Options', matches('x-content-type-options', /^nosniff$/i)],
  [
    'sts_grammar',
    'grammar',
    'RFC 6797 §6.1',
    'Strict-Transport-Security',
    matches(sts, new RegExp(`^(?:${directive})?(?:[ \\t]*;[ \\t]*(?:${directive})?)*$`)),
  ],
  ['xfo_grammar', 'grammar', 'HTML', 'X-Frame-Options', matches('x-frame-options', /^(?:deny|sameorigin)$/i)],
  ['coop_grammar', 'grammar', 'HTML', 'Cross-Origin-Opener-Policy', matches('cross-origin-opener-policy', whole(structuredToken))],
  [
    'access_control_allow_origin_grammar',
    'grammar',
    'Fetch',
    'Access-Control-Allow-Origin',
    matches('access-control-allow-origin', /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,]+)$/),
  ],
  [
    'access_control_allow_credentials_grammar',
    'grammar',
    'Fetch',
    'Access-Control-Allow-Credentials',
    matches('access-control-allow-credentials', /^true$/),
  ],
  [
    'access_control_expose_headers_grammar',
    'grammar',
    'Fetch',
    'Access-Control-Expose-Headers',
    matches('access-control-expose-headers', list(token)),
  ],
  ['access_control_max_age_grammar', 'grammar', 'Fetch', 'Access-Control-Max-Age', matches('access-control-max-age', /^\d+$/)],
  [
    'access_control_allow_methods_grammar',
    'grammar',
    'Fetch',
    'Access-Control-Allow-Methods',
    matches('access-control-allow-methods', list(token)),
  ],
  [
    'access_control_allow_headers_grammar',
    'grammar',
    'Fetch',
    'Access-Control-Allow-Headers',
    matches('access-control-allow-headers', list(token)),
  ],
  ['age_grammar', 'grammar', 'RFC 9111 §5.1', 'Age', matches('age', /^\d+$/)],
  ['cache_control_grammar', 'grammar', 'RFC 9111 §5.2', 'Cache-Control', matches('cache-control', list(directive))],
  [
    'server_grammar',
    'grammar',
    'RFC 9110 §10.2.4',
    'Server',
    matches('server', new RegExp(`^${token}(?:/${token})?(?: (?:${token}(?:/${token})?|\\([^()]*\\)))*$`)),
  ],
  [
    'retry_after_grammar',
    'grammar',
    'RFC 9110 §10.2.3',
    'Retry-After',
    matches('retry-after', (value) => /^\d+$/.test(value) || imfDate.test(value)),
  ],
  [
    'proxy_authorization_grammar',
    'grammar',
    'RFC 9110 §11.7.2',
    'Proxy-Authorization',
    matches('proxy-authorization', new RegExp(`^${token}(?: .*)?$`)),
  ],
  ['location_header_grammar', 'grammar', 'RFC 9110 §10.2.2', 'Location', matches('location', isReference)],
  ['last_modified_grammar', 'grammar', 'RFC 9110 §8.8.2', 'Last-Modified', matches('last-modified', imfDate)],
  ['expires_grammar', 'grammar', 'RFC 9111 §5.3', 'Expires', matches('expires', imfDate)],
  ['etag_grammar', 'grammar', 'RFC 9110 §8.8.3', 'ETag', matches('etag', /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/)],
  ['date_grammar', 'grammar', 'RFC 9110 §6.6.1', 'Date', matches('date', imfDate)],
  ['content_type_grammar', 'grammar', 'RFC 9110 §8.3', 'Content-Type', matches('content-type', whole(mediaType))],
  [
    'range_grammar',
    'grammar',
    'RFC 9110 §14.4',
    'Content-Range',
    matches('content-range', new RegExp(`^${token} (?:\\d+-\\d+/(?:\\d+|\\*)|\\*/\\d+)$`)),
  ],
  ['content_length_grammar', 'grammar', 'RFC 9110 §8.6', 'Content-Length', matches('content-length', /^\d+$/)],
  ['content_language_grammar', 'grammar', 'RFC 9110 §8.5', 'Content-Language', matches('content-language', list(languageTag))],
  ['content_encoding_grammar', 'grammar', 'RFC 9110 §8.4', 'Content-Encoding', matches('content-encoding', list(token))],
  ['connection_grammar', 'grammar', 'RFC 9110 §7.6.1', 'Connection', matches('connection', list(token))],
  ['allow_grammar', 'grammar', 'RFC 9110 §10.2.1', 'Allow', matches('allow', list(token))],
  ['accept_ranges_grammar', 'grammar', 'RFC 9110 §14.3', 'Accept-Ranges', matches('accept-ranges', list(token))],
  [
    'accept_encoding_grammar',
    'grammar',
    'RFC 9110 §12.5.3',
    'Accept-Encoding',
    matches('accept-encoding', list(`(?:${token})(?:[ \\t]*;[ \\t]*q=[01](?:\\.\\d{0,3})?)?`)),
  ],
  ['accept_patch_grammar', 'grammar', 'RFC 5789 §3.1', 'Accept-Patch', matches('accept-patch', list(mediaType))],
  [
    'transfer_encoding_grammar',
    'grammar',
    'RFC 9112 §6.1',
    'Transfer-Encoding',
    matches('transfer-encoding', list(`${token}${parameters}`)),
  ],
  ['vary_grammar', 'grammar', 'RFC 9110 §12.5.5', 'Vary', matches('vary', list(token))],
  [
    'duplicate_csp',
    'SHOULD',
    'CSP',
    'one Content-Security-Policy',
    each(
      (response) => hasField(response, csp),
      (response) => countFields(response, csp) === 1,
    ),
  ],
  [
    'duplicate_csp_ro',
    'SHOULD',
    'CSP',
    'one Content-Security-Policy-Report-Only',
    each(
      (response) => hasField(response, `${csp}-report-only`),
      (response) => countFields(response, `${csp}-report-only`) === 1,
    ),
  ],
  [
    'redirect_after_upgrade_insecure_requests',
    'SHOULD',
    'Upgrade Insecure Requests',
    'a redirect to HTTPS after `Upgrade-Insecure-Requests`',
    each(
      (_response, { scheme, headers }) => scheme === 'http' && 'upgrade-insecure-requests' in headers,
      (response) => listValues(response, 'location')[0]?.startsWith('https:') === true,
    ),
  ],
  [
    'STS_header_after_upgrade_insecure_requests',
    'SHOULD',
    'Upgrade Insecure Requests',
    'Strict-Transport-Security after `Upgrade-Insecure-Requests`',
    each(
      (_response, { scheme, headers }) => scheme === 'https' && 'upgrade-insecure-requests' in headers,
      (response) => hasField(response, sts),
    ),
  ],
  ['server_header_long', 'SHOULD', 'RFC 9110 §10.2.4', 'Server has no details', matches('server', (value) => value.length <= 100)],
  [
    'sts_directives_only_allowed_once',
    'MUST',
    'RFC 6797 §6.1',
    'no directive of Strict-Transport-Security twice',
    matches(sts, (value) => isUnique(value.split(';').map((one) => one.split('=')[0]?.trim().toLowerCase()))),
  ],
  [
    'only_one_sts_header_allowed',
    'MUST',
    'RFC 6797 §7.1',
    'one Strict-Transport-Security',
    each(
      (response) => hasField(response, sts),
      (response) => countFields(response, sts) === 1,
    ),
  ],
  [
    'sts_header_http',
    'MUST',
    'RFC 6797 §7.2',
    'no Strict-Transport-Security without TLS',
    each(
      (_response, { scheme }) => scheme === 'http',
      (response) => !hasField(response, sts),
    ),
  ],
  [
    'sts_max_age',
    'MUST',
    'RFC 6797 §6.1.1',
    'Strict-Transport-Security has `max-age`',
    matches(sts, (value) => /(?:^|;)[ \t]*max-age=/i.test(value)),
  ],
]
