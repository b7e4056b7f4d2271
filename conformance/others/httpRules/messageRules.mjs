/** The rules about messages, methods and statuses. */

import { sendBytes } from './record.mjs'
import { besideGet, each, hasField, listValues, none } from './rule.mjs'

/** @typedef {import('./rule.mjs').Rule} Rule */
/** @typedef {import('./rule.mjs').Judge} Judge */

const get = 'GET / HTTP/1.1\r\n'
const fields = 'Host: a.example\r\nConnection: close\r\n'

/**
 * Sends malformed requests, each of which must get a status.
 *
 * @param {number} expected
 * @param {readonly string[]} requests
 * @returns {Judge}
 */
const gets = (expected, requests) => async (_exchanges, url) => {
  for (const request of requests) {
    const statuses = await sendBytes(url, request)
    if (statuses.at(-1) !== expected) return `${JSON.stringify(request)}: ${statuses.join()}`
  }
  return undefined
}

const hasStatus =
  (/** @type {readonly number[]} */ ...statuses) =>
  (response) =>
    statuses.includes(response.status)
const isInformational = (response) => response.status >= 100 && response.status < 200
const isHttp2 = (_response, { version }) => version === '2'

/** @param {number} status @param {string} name */
const carries = (status, name) => each(hasStatus(status), (response) => hasField(response, name))

const connect = 'CONNECT a.example:80 HTTP/1.1\r\nHost: a.example:80\r\nConnection: close\r\n\r\n'

/** @returns {Judge} */
const refusesConnect = async (_exchanges, url) => {
  const statuses = await sendBytes(url, connect)
  return statuses.every((status) => status < 200 || status > 299) ? none : `CONNECT: ${statuses.join()}`
}

const sameHeaders = ['date', 'cache-control', 'etag', 'expires', 'content-location', 'vary']
const keepsHeaders = (response, plain) => sameHeaders.every((name) => !hasField(plain, name) || hasField(response, name))
const getLength = (response) => listValues(response, 'content-length')[0]
const listNames = ({ headers }) => new Set(headers.map(([name]) => name))

/** These are of one response alone, or of its content. */
const ofContent = new Set(['content-length', 'vary', 'transfer-encoding', 'content-encoding', 'connection', 'date', 'x-request-id'])

/** @type {readonly Rule[]} */
export const messageRules = [
  [
    'continue_before_upgrade',
    'MUST',
    'RFC 9110 §7.8',
    '100 comes before 101',
    each(hasStatus(101), (_response, { responses }) => responses[0]?.status === 100),
  ],
  [
    'reject_fields_contaning_cr_lf_nul',
    'MUST',
    'RFC 9110 §5.5',
    'NUL, CR and LF in a field value are rejected',
    gets(
      400,
      ['\0', '\r', '\n'].map((character) => `${get}${fields}A: a${character}\r\n\r\n`),
    ),
  ],
  [
    'code_400_after_bad_host_request',
    'MUST',
    'RFC 9112 §3.2',
    '400 for no Host, two, and a malformed one',
    gets(
      400,
      ['', 'Host: a\r\nHost: a\r\n', 'Host: ###\r\n'].map((host) => `${get}${host}Connection: close\r\n\r\n`),
    ),
  ],
  ['code_501_unknown_methods', 'SHOULD', 'RFC 9110 §9.1', '501 for an unknown method', gets(501, [`ABC / HTTP/1.1\r\n${fields}\r\n`])],
  [
    'code_405_blocked_methods',
    'SHOULD',
    'RFC 9110 §9.1',
    '405 for TRACE and CONNECT',
    gets(405, [`TRACE / HTTP/1.1\r\n${fields}\r\n`, `CONNECT / HTTP/1.1\r\n${fields}\r\n`]),
  ],
  [
    'content_head_request',
    'MUST',
    'RFC 9110 §9.3.2',
    'a response to HEAD has no content',
    each(
      (_response, { method }) => method === 'HEAD',
      ({ body }) => body.length === 0,
    ),
  ],
  [
    'allow_crlf_start',
    'SHOULD',
    'RFC 9112 §2.2',
    'an empty line before the request line is ignored',
    gets(200, [`\r\n${get}${fields}\r\n`]),
  ],
  [
    'reject_msgs_with_whitespace_between_startline_and_first_header_field',
    'MUST',
    'RFC 9112 §2.2',
    'white space before the first field is rejected',
    gets(400, [`${get} ${fields}\r\n`]),
  ],
  [
    'code_400_if_msg_with_whitespace_between_header_field_and_colon',
    'MUST',
    'RFC 9112 §5.1',
    '400 for white space before a colon',
    gets(400, [`${get}${fields}A : a\r\n\r\n`]),
  ],
  ['content_length_2XX_connect', 'MUST', 'RFC 9110 §8.6', 'no Content-Length in 2xx to CONNECT', refusesConnect],
  ['transfer_encoding_2XX_connect', 'MUST', 'RFC 9112 §6.1', 'no Transfer-Encoding in 2xx to CONNECT', refusesConnect],
  [
    'content_length_1XX_204',
    'MUST',
    'RFC 9110 §8.6',
    'no Content-Length in 1xx and 204',
    each(
      (response) => isInformational(response) || response.status === 204,
      (response) => !hasField(response, 'content-length'),
    ),
  ],
  ['send_upgrade_426', 'MUST', 'RFC 9110 §7.8', '426 has Upgrade', carries(426, 'upgrade')],
  ['send_upgrade_101', 'MUST', 'RFC 9110 §7.8', '101 has Upgrade', carries(101, 'upgrade')],
  [
    'switch_protocol_without_client',
    'MUST',
    'RFC 9110 §7.8',
    '101 names a protocol of the request',
    each(hasStatus(101), (response, { headers }) => listValues(response, 'upgrade')[0] === headers['upgrade']),
  ],
  [
    'content_type_header_required',
    'SHOULD',
    'RFC 9110 §8.3',
    'content has a Content-Type',
    each(
      ({ body }) => body.length > 0,
      (response) => hasField(response, 'content-type'),
    ),
  ],
  [
    'date_header_required',
    'MUST',
    'RFC 9110 §6.6.1',
    'Date in 2xx, 3xx and 4xx',
    each(
      ({ status }) => status >= 200 && status < 500,
      (response) => hasField(response, 'date'),
    ),
  ],
  [
    'no_transfer_encoding_1xx_204',
    'MUST',
    'RFC 9112 §6.1',
    'no Transfer-Encoding in 1xx and 204',
    each(
      (response) => isInformational(response) || response.status === 204,
      (response) => !hasField(response, 'transfer-encoding'),
    ),
  ],
  [
    'transfer_encoding_http11',
    'MUST',
    'RFC 9112 §6.1',
    'Transfer-Encoding only to HTTP/1.1',
    each(
      (_response, { version }) => version !== '1.1',
      (response) => !hasField(response, 'transfer-encoding'),
    ),
  ],
  [
    'post_invalid_response_codes',
    'MUST',
    'RFC 9110 §9.3.3',
    'no 206, 304 and 416 to POST',
    each(
      (_response, { method }) => method === 'POST',
      ({ status }) => ![206, 304, 416].includes(status),
    ),
  ],
  [
    'close_option_in_final_response',
    'SHOULD',
    'RFC 9112 §9.6',
    '`close` in the response to a request with `close`',
    each(
      (response, { headers, version }) => response.status >= 200 && version === '1.1' && headers['connection'] === 'close',
      (response) => listValues(response, 'connection').includes('close'),
    ),
  ],
  [
    'no_bare_cr',
    'MUST',
    'RFC 9112 §2.2',
    'no CR without LF in a head',
    each(
      ({ head }) => head !== '',
      ({ head }) => !/\r(?!\n)/.test(head),
    ),
  ],
  ['code_101_not_allowed_in_http2', 'MUST', 'RFC 9113 §8.6', 'no 101 in HTTP/2', each(isHttp2, ({ status }) => status !== 101)],
  [
    'field_name_nonvisible_asciichars',
    'MUST',
    'RFC 9113 §8.2.1',
    'names in HTTP/2 are lower-case visible ASCII',
    each(isHttp2, ({ headers }) => headers.every(([name]) => /^[\x21-\x40\x5b-\x7e]+$/.test(name))),
  ],
  [
    'field_name_colon_except_for_pseudo_header_fields',
    'MUST',
    'RFC 9113 §8.2.1',
    'names in HTTP/2 have no colon but the first of a pseudo-header',
    each(isHttp2, ({ headers }) => headers.every(([name]) => !name.slice(1).includes(':'))),
  ],
  [
    'field_value_zero_value_lf_cr',
    'MUST',
    'RFC 9113 §8.2.1',
    'values in HTTP/2 have no NUL, LF or CR',
    each(isHttp2, ({ headers }) => headers.every(([, value]) => !/[\0\r\n]/.test(value))),
  ],
  [
    'field_value_start_or_end_with_whitespace',
    'MUST',
    'RFC 9113 §8.2.1',
    'values in HTTP/2 have no white space around them',
    each(isHttp2, ({ headers }) => headers.every(([, value]) => value === value.trim())),
  ],
  ['code_300_location', 'SHOULD', 'RFC 9110 §15.4.1', '300 has Location', carries(300, 'location')],
  [
    'code_300_metadata',
    'SHOULD',
    'RFC 9110 §15.4.1',
    '300 has content',
    each(
      (response, { method }) => response.status === 300 && method !== 'HEAD',
      ({ body }) => body.length > 0,
    ),
  ],
  ['code_301_location', 'SHOULD', 'RFC 9110 §15.4.2', '301 has Location', carries(301, 'location')],
  ['code_302_location', 'SHOULD', 'RFC 9110 §15.4.3', '302 has Location', carries(302, 'location')],
  ['code_303_location', 'SHOULD', 'RFC 9110 §15.4.4', '303 has Location', carries(303, 'location')],
  ['code_307_location', 'SHOULD', 'RFC 9110 §15.4.8', '307 has Location', carries(307, 'location')],
  ['code_308_location', 'SHOULD', 'RFC 9110 §15.4.9', '308 has Location', carries(308, 'location')],
  ['code_413_retry_after', 'SHOULD', 'RFC 9110 §15.5.14', '413 has Retry-After, if it is temporary', carries(413, 'retry-after')],
  [
    'code_415_unsupported_media_type',
    'SHOULD',
    'RFC 9110 §15.5.16',
    '415 has Accept or Accept-Encoding',
    each(hasStatus(415), (response) => hasField(response, 'accept') || hasField(response, 'accept-encoding')),
  ],
  ['code_416_content_range', 'SHOULD', 'RFC 9110 §15.5.17', '416 has Content-Range', carries(416, 'content-range')],
  [
    'code_204_no_additional_content',
    'MUST',
    'RFC 9110 §15.3.5',
    '204 has no content',
    each(hasStatus(204), ({ body }) => body.length === 0),
  ],
  ['code_205_no_content_allowed', 'MUST', 'RFC 9110 §15.3.6', '205 has no content', each(hasStatus(205), ({ body }) => body.length === 0)],
  [
    'code_206_content_range',
    'MUST',
    'RFC 9110 §15.3.7.1',
    '206 has Content-Range or is multipart/byteranges',
    each(
      hasStatus(206),
      (response) =>
        hasField(response, 'content-range') || listValues(response, 'content-type')[0]?.startsWith('multipart/byteranges') === true,
    ),
  ],
  [
    'code_206_content_range_of_multiple_part_response',
    'MUST',
    'RFC 9110 §15.3.7.2',
    'multipart/byteranges has no Content-Range',
    each(
      (response) => response.status === 206 && listValues(response, 'content-type')[0]?.startsWith('multipart/byteranges') === true,
      (response) => !hasField(response, 'content-range'),
    ),
  ],
  ['code_401_www_authenticate', 'MUST', 'RFC 9110 §15.5.2', '401 has WWW-Authenticate', carries(401, 'www-authenticate')],
  ['code_405_allow', 'MUST', 'RFC 9110 §15.5.6', '405 has Allow', carries(405, 'allow')],
  ['code_407_proxy_authenticate', 'MUST', 'RFC 9110 §15.5.8', '407 has Proxy-Authenticate', carries(407, 'proxy-authenticate')],
  ['code_304_no_content', 'MUST', 'RFC 9110 §15.4.5', '304 has no content', each(hasStatus(304), ({ body }) => body.length === 0)],
  [
    'content_length_same_head_get',
    'MUST',
    'RFC 9110 §8.6',
    'Content-Length to HEAD is that to GET',
    besideGet(
      (response, { method }) => method === 'HEAD' && hasField(response, 'content-length'),
      (response, plain) => getLength(response) === getLength(plain),
    ),
  ],
  [
    'content_length_same_304_200',
    'MUST',
    'RFC 9110 §8.6',
    'Content-Length of 304 is that of 200',
    besideGet(
      (response) => response.status === 304 && hasField(response, 'content-length'),
      (response, plain) => getLength(response) === getLength(plain),
    ),
  ],
  [
    'accept_patch_presence',
    'SHOULD',
    'RFC 5789 §3.1',
    'OPTIONS has Accept-Patch where PATCH is',
    besideGet(
      (response, { method }) => method === 'OPTIONS' && listValues(response, 'allow')[0]?.includes('PATCH') === true,
      (response) => hasField(response, 'accept-patch'),
    ),
  ],
  [
    'head_get_headers',
    'SHOULD',
    'RFC 9110 §9.3.2',
    'HEAD has the status and the headers of GET',
    besideGet(
      (_response, { method }) => method === 'HEAD',
      (response, plain) =>
        response.status === plain.status && [...listNames(plain)].every((name) => ofContent.has(name) || hasField(response, name)),
    ),
  ],
  [
    'code_206_headers',
    'MUST',
    'RFC 9110 §15.3.7',
    '206 has the headers of 200',
    besideGet((response, { headers }) => response.status === 206 && 'range' in headers, keepsHeaders),
  ],
  ['code_304_headers', 'MUST', 'RFC 9110 §15.4.5', '304 has the headers of 200', besideGet(hasStatus(304), keepsHeaders)],
]
