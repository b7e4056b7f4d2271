/** Documents with a schema in one place, and the ids of the checks that are about it. */

/** @typedef {Record<string, any>} Schema */

const json = (/** @type {Schema} */ schema) => ({ content: { 'application/json': { schema } } })
const ok = { 200: { description: 'It is done.' } }

/** A document of one path. @param {object} item @param {object} [more] */
export const createDocument = (item, more = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Stones', version: '1' },
  paths: { '/stones': item },
  ...more,
})

/** A document with one operation. @param {object} operation @param {object} [more] */
export const createPost = (operation, more) => createDocument({ post: { responses: ok, ...operation } }, more)

/** The body of a request. @param {Schema} schema @param {object} [more] */
export const withRequest = (schema, more) => createPost({ requestBody: { required: true, ...json(schema) } }, more)

/** The body of a response. @param {Schema} schema @param {object} [more] */
export const withResponse = (schema, more) => createPost({ responses: { 200: { description: 'The stone.', ...json(schema) } } }, more)

const withMember = (/** @type {Schema} */ schema, more = {}) => ({
  type: 'object',
  properties: { member: { ...schema, ...more } },
  required: ['member'],
})

/** Parameters of a query. @param {readonly object[]} parameters */
export const withParameters = (...parameters) => createPost({ parameters })

/** @param {Schema} schema @param {object} [more] */
export const createParameter = (schema, more = {}) => ({ name: 'filter', in: 'query', schema, ...more })

/** The documents of each place, by the first part of the ids of its checks. @type {Readonly<Record<string, (schema: Schema) => object>>} */
export const places = {
  'request-body': withRequest,
  'request-property': (schema) => withRequest(withMember(schema)),
  'request-read-only-property': (schema) => withRequest(withMember(schema, { readOnly: true })),
  'request-parameter': (schema) => withParameters(createParameter(schema, { required: true })),
  'request-parameter-property': (schema) =>
    withParameters(createParameter({ type: 'object', properties: { member: schema } }, { style: 'deepObject', required: true })),
  'request-header-property': (schema) => withParameters({ name: 'X-Filter', in: 'header', required: true, schema: withMember(schema) }),
  'response-body': withResponse,
  'response-property': (schema) => withResponse(withMember(schema)),
  'response-write-only-property': (schema) => withResponse(withMember(schema, { writeOnly: true })),
  'response-mediatype': withResponse,
  'response-header': (schema) =>
    createPost({ responses: { 200: { description: 'The stone.', headers: { 'X-Color': { required: true, schema } } } } }),
}
