/** Pairs of documents for the checks about operations, parameters, media types and responses: one a check, by its id. */
import { createDocument, createParameter, createPost, withParameters, withRequest, withResponse } from './places.mjs'

const text = { type: 'string' }
const ok = { 200: { description: 'It is done.' } }
const operation = { responses: ok }
const both = { get: operation, post: operation }
const old = { deprecated: true, 'x-sunset': '2020-01-01' }
const later = { deprecated: true, 'x-sunset': '9999-08-10' }
const json = { 'application/json': { schema: text } }
const parameter = (/** @type {object} */ more = {}) => createParameter(text, more)
const respond = (/** @type {object} */ responses) => createPost({ responses: { ...ok, ...responses } })
const respondWith = (/** @type {object} */ content) => createPost({ responses: { 200: { description: 'The stone.', content } } })
const takeBody = (/** @type {object} */ body) => createPost({ requestBody: { content: json, ...body } })
const takeContent = (/** @type {object} */ content) => createPost({ requestBody: { required: true, content } })
const headers = (/** @type {object} */ value) => createPost({ responses: { 200: { description: 'The stone.', headers: value } } })
const colorHeader = (/** @type {boolean} */ required) => headers({ 'X-Color': { required, schema: text } })
const headerWith = (/** @type {readonly string[]} */ required, properties = { member: text }) =>
  withParameters({ name: 'X-Filter', in: 'header', required: true, schema: { type: 'object', properties, required } })
const ofPath = (/** @type {readonly object[]} */ ...parameters) => createDocument({ parameters, ...both })
const never = { delete: operation }
const hook = (/** @type {readonly string[]} */ ...names) => ({
  ...createPost({}),
  webhooks: Object.fromEntries(names.map((name) => [name, { post: { requestBody: { content: json }, responses: ok } }])),
})
const scheme = (/** @type {object} */ schemes, /** @type {object} */ more = {}) =>
  createPost({}, { components: { securitySchemes: schemes }, ...more })
const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
const oauth = (/** @type {object} */ scopes, urls = {}) => ({
  type: 'oauth2',
  flows: { authorizationCode: { authorizationUrl: 'https://a.example', tokenUrl: 'https://t.example', scopes, ...urls } },
})
const schemes = { components: { securitySchemes: { key, oauth: oauth({ read: 'Read.', write: 'Write.' }) } } }
const secure = (/** @type {readonly object[] | undefined} */ security) => createPost(security === undefined ? {} : { security }, schemes)
const secureAll = (/** @type {readonly object[] | undefined} */ security) => createPost({}, { ...schemes, ...(security && { security }) })

/** @typedef {readonly [base: object, revision: object]} Pair */

/** @param {object} one @param {object} other @param {readonly [string, string]} ids of the change from the one to the other, and back @returns {readonly (readonly [string, Pair])[]} */
const bothWays = (one, other, [there, back]) => [
  [there, [one, other]],
  [back, [other, one]],
]

/** @type {Readonly<Record<string, Pair>>} */
export const operationChanges = {
  'endpoint-added': [createDocument({ get: operation }), createDocument(both)],
  'endpoint-deprecated': [createPost({}), createPost({ deprecated: true })],
  'endpoint-deprecated-with-sunset': [createPost({}), createPost(later)],
  'endpoint-reactivated': [createPost({ deprecated: true }), createPost({})],
  'api-deprecated-sunset-parse': [createPost({}), createPost({ deprecated: true, 'x-sunset': 'some day' })],
  'api-deprecated-sunset-missing': [createPost({}), createPost({ deprecated: true })],
  'api-sunset-date-too-small': [createPost({}), createPost(old)],
  'sunset-deleted': [createPost(later), createPost({ deprecated: true })],
  'api-sunset-date-changed-too-small': [createPost(later), createPost(old)],
  'api-invalid-stability-level': [createPost({ 'x-stability-level': 'stable' }), createPost({ 'x-stability-level': 'solid' })],
  ...Object.fromEntries(
    bothWays(createPost({ 'x-stability-level': 'stable' }), createPost({ 'x-stability-level': 'beta' }), [
      'api-stability-decreased',
      'api-stability-increased',
    ]),
  ),
  'api-path-removed-without-deprecation': [createPost({}), { ...createPost({}), paths: {} }],
  'api-path-removed-with-deprecation': [createPost(old), { ...createPost({}), paths: {} }],
  'api-path-sunset-parse': [createPost({ deprecated: true, 'x-sunset': 'some day' }), { ...createPost({}), paths: {} }],
  'api-path-removed-before-sunset': [createPost(later), { ...createPost({}), paths: {} }],
  'api-removed-without-deprecation': [createDocument({ ...both, ...never }), createDocument(both)],
  'api-removed-with-deprecation': [createDocument({ ...both, delete: { ...operation, ...old } }), createDocument(both)],
  'api-removed-before-sunset': [createDocument({ ...both, delete: { ...operation, ...later } }), createDocument(both)],
  ...Object.fromEntries([
    ...bothWays(createPost({}), createPost({ operationId: 'add' }), ['api-operation-id-added', 'api-operation-id-removed']),
    ...bothWays(createPost({}), createPost({ tags: ['stones'] }), ['api-tag-added', 'api-tag-removed']),
    ...bothWays(hook('sold'), hook('sold', 'cut'), ['webhook-added', 'webhook-removed']),
  ]),
  'api-schema-removed': [createPost({}, { components: { schemas: { Stone: text } } }), createPost({}, { components: { schemas: {} } })],
  'api-version-not-bumped': [createDocument(both), createDocument({ get: operation })],
  'api-version-decreased': [{ ...createDocument(both), info: { title: 'Stones', version: '2.0.0' } }, createDocument({ get: operation })],
  'api-major-version-not-bumped': [
    { ...createDocument(both), info: { title: 'Stones', version: '1.0.0' } },
    { ...createDocument({ get: operation }), info: { title: 'Stones', version: '1.1.0' } },
  ],
  ...Object.fromEntries([
    ...bothWays(scheme({ key }), scheme({}), ['api-security-component-removed', 'api-security-component-added']),
    ...bothWays(scheme({ oauth: oauth({ read: 'Read.' }) }), scheme({ oauth: oauth({ read: 'Read.', write: 'Write.' }) }), [
      'api-security-component-oauth-scope-added',
      'api-security-component-oauth-scope-removed',
    ]),
    ...bothWays(secure([{ key: [] }]), secure([{ key: [] }, { oauth: ['read'] }]), ['api-security-added', 'api-security-removed']),
    ...bothWays(secure([{ oauth: ['read'] }]), secure([{ oauth: ['read', 'write'] }]), [
      'api-security-scope-added',
      'api-security-scope-removed',
    ]),
    ...bothWays(secureAll([{ key: [] }]), secureAll([{ key: [] }, { oauth: ['read'] }]), [
      'api-global-security-added',
      'api-global-security-removed',
    ]),
    ...bothWays(secureAll([{ oauth: ['read'] }]), secureAll([{ oauth: ['read', 'write'] }]), [
      'api-global-security-scope-added',
      'api-global-security-scope-removed',
    ]),
  ]),
  'api-security-component-oauth-scope-changed': [scheme({ oauth: oauth({ read: 'Read.' }) }), scheme({ oauth: oauth({ read: 'Reads.' }) })],
  'api-security-component-oauth-url-changed': [
    scheme({ oauth: oauth({}) }),
    scheme({ oauth: oauth({}, { authorizationUrl: 'https://b.example' }) }),
  ],
  'api-security-component-oauth-token-url-changed': [
    scheme({ oauth: oauth({}) }),
    scheme({ oauth: oauth({}, { tokenUrl: 'https://b.example' }) }),
  ],
  'api-security-component-type-changed': [scheme({ key }), scheme({ key: { type: 'http', scheme: 'basic' } })],
  'request-body-added-required': [createPost({}), takeBody({ required: true })],
  'request-body-added-optional': [createPost({}), takeBody({ required: false })],
  'request-body-removed': [takeBody({ required: true }), createPost({})],
  ...Object.fromEntries([
    ...bothWays(takeBody({ required: true }), takeBody({ required: false }), [
      'request-body-became-optional',
      'request-body-became-required',
    ]),
    ...bothWays(takeContent(json), takeContent({ ...json, 'application/vnd.stone+json': { schema: text } }), [
      'request-body-media-type-added',
      'request-body-media-type-removed',
    ]),
    ...bothWays(takeContent({ 'application/json': {} }), takeContent(json), [
      'request-body-media-type-schema-added',
      'request-body-media-type-schema-removed',
    ]),
    ...bothWays(respondWith({ 'application/json': {} }), respondWith(json), [
      'response-body-media-type-schema-added',
      'response-body-media-type-schema-removed',
    ]),
    ...bothWays(respondWith(json), respondWith({ ...json, 'application/vnd.stone+json': { schema: text } }), [
      'response-media-type-added',
      'response-media-type-removed',
    ]),
    ...bothWays(respondWith({ 'text/plain': { schema: text } }), respondWith({ 'text/*': { schema: text } }), [
      'response-media-type-name-generalized',
      'response-media-type-name-specialized',
    ]),
  ]),
  'response-media-type-name-changed': [respondWith({ 'text/plain': { schema: text } }), respondWith({ 'text/css': { schema: text } })],
  'new-required-request-parameter': [createPost({}), withParameters(parameter({ required: true }))],
  'new-optional-request-parameter': [createPost({}), withParameters(parameter())],
  'new-required-request-default-parameter-to-existing-path': [createDocument(both), ofPath(parameter({ required: true }))],
  'new-optional-request-default-parameter-to-existing-path': [createDocument(both), ofPath(parameter())],
  'new-request-path-parameter': [
    createPost({}),
    {
      ...createPost({}),
      paths: { '/stones/{id}': { parameters: [{ name: 'id', in: 'path', required: true, schema: text }], post: operation } },
    },
  ],
  'new-required-request-header-property': [headerWith([]), headerWith(['size'], { member: text, size: text })],
  'request-header-property-became-required': [headerWith([]), headerWith(['member'])],
  'request-parameter-removed': [withParameters(parameter()), createPost({})],
  'request-parameter-removed-with-deprecation': [withParameters(parameter(old)), createPost({})],
  'request-parameter-sunset-parse': [withParameters(parameter({ deprecated: true, 'x-sunset': 'some day' })), createPost({})],
  'request-parameter-removed-before-sunset': [withParameters(parameter(later)), createPost({})],
  ...Object.fromEntries(
    bothWays(withParameters(parameter()), withParameters(parameter({ required: true })), [
      'request-parameter-became-required',
      'request-parameter-became-optional',
    ]),
  ),
  ...Object.fromEntries([
    ...bothWays(withParameters(parameter()), withParameters(createParameter({ ...text, default: 'name' })), [
      'request-parameter-default-value-added',
      'request-parameter-default-value-removed',
    ]),
  ]),
  'request-parameter-default-value-changed': [
    withParameters(createParameter({ ...text, default: 'name' })),
    withParameters(createParameter({ ...text, default: 'size' })),
  ],
  'request-parameter-deprecated': [withParameters(parameter()), withParameters(parameter({ deprecated: true }))],
  'request-parameter-reactivated': [withParameters(parameter({ deprecated: true })), withParameters(parameter())],
  'request-parameter-deprecated-sunset-missing': [withParameters(parameter()), withParameters(parameter({ deprecated: true }))],
  'request-parameter-sunset-date-too-small': [withParameters(parameter()), withParameters(parameter(old))],
  'request-parameter-sunset-deleted': [withParameters(parameter(later)), withParameters(parameter({ deprecated: true }))],
  'request-parameter-sunset-date-changed-too-small': [withParameters(parameter(later)), withParameters(parameter(old))],
  ...Object.fromEntries(
    [...bothWays(colorHeader(true), colorHeader(false), ['response-header-became-optional', 'response-header-became-required'])].slice(
      0,
      1,
    ),
  ),
  'required-response-header-removed': [colorHeader(true), headers({})],
  'optional-response-header-removed': [colorHeader(false), headers({})],
  'response-header-added': [headers({}), colorHeader(true)],
  ...Object.fromEntries([
    ...bothWays(respond({}), respond({ 201: { description: 'It is new.' } }), [
      'response-success-status-added',
      'response-success-status-removed',
    ]),
    ...bothWays(respond({}), respond({ 409: { description: 'It is there.' } }), [
      'response-non-success-status-added',
      'response-non-success-status-removed',
    ]),
  ]),
  'response-header-type-compatible': [
    headers({ 'X-Color': { required: true, schema: text } }),
    headers({ 'X-Color': { required: true, schema: { ...text, format: 'date' } } }),
  ],
  'response-body-type-compatible': [withResponse({ type: 'string' }), withResponse({ type: 'string', format: 'date' })],
  'request-body-type-compatible': [withRequest({ type: 'string', format: 'date' }), withRequest({ type: 'string' })],
}
