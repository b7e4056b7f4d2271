/** Pairs of documents for the checks about the members of bodies: one a check, by its id. */
import { withRequest, withResponse } from './places.mjs'

/** @typedef {import('./operationChanges.mjs').Pair} Pair */

const text = { type: 'string' }
const sunsets = { old: '2020-01-01', later: '9999-08-10' }
const kind = (/** @type {string} */ name) => ({ type: 'object', properties: { kind: { const: name } }, required: ['kind'] })
const schemas = { Circle: kind('circle'), Square: kind('square') }
const union = (/** @type {Record<string, string>} */ mapping) => ({
  oneOf: Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` })),
  discriminator: {
    propertyName: 'kind',
    mapping: Object.fromEntries(Object.entries(mapping).map(([tag, name]) => [tag, `#/components/schemas/${name}`])),
  },
})

/** An object with a member. @param {object | undefined} member @param {boolean} [isRequired] */
const object = (member, isRequired = false) => ({
  type: 'object',
  properties: { other: text, ...(member && { member }) },
  ...(isRequired && { required: ['member'] }),
})

const sides = { request: withRequest, response: withResponse }

/** @param {'request' | 'response'} side @param {(member: object | undefined, isRequired?: boolean) => object} create */
const changeMember =
  (side, create) =>
  (/** @type {readonly [object | undefined, boolean?]} */ old, /** @type {readonly [object | undefined, boolean?]} */ now) => [
    sides[side](create(...old)),
    sides[side](create(...now)),
  ]

/** @returns {Record<string, Pair>} */
function listLifecycle(/** @type {'request' | 'response'} */ side) {
  const change = changeMember(side, object)
  const member = (/** @type {object} */ more) => /** @type {const} */ ([{ ...text, ...more }])
  const deprecated = (/** @type {string | undefined} */ sunset) => member({ deprecated: true, ...(sunset && { 'x-sunset': sunset }) })
  const level = (/** @type {string} */ name) => member({ 'x-stability-level': name })
  const id = (/** @type {string} */ name) => `${side}-property-${name}`
  return {
    [id('deprecated')]: change(member({}), deprecated()),
    [id('deprecated-with-sunset')]: change(member({}), deprecated(sunsets.later)),
    [id('deprecated-sunset-missing')]: change(member({}), deprecated()),
    [id('deprecated-sunset-invalid')]: change(member({}), deprecated('some day')),
    [id('reactivated')]: change(deprecated(), member({})),
    [id('sunset-date-too-small')]: change(member({}), deprecated(sunsets.old)),
    [id('stability-decreased')]: change(level('stable'), level('beta')),
    [id('stability-increased')]: change(level('beta'), level('stable')),
  }
}

/** A member that becomes read-only or write-only. @returns {Record<string, Pair>} */
function listMutability(/** @type {'request' | 'response'} */ side) {
  const change = changeMember(side, object)
  const entries = [true, false].flatMap((isRequired) =>
    ['read-only', 'write-only'].flatMap((name) => {
      const keyword = name === 'read-only' ? 'readOnly' : 'writeOnly'
      const [free, marked] = /** @type {const} */ ([
        [text, isRequired],
        [{ ...text, [keyword]: true }, isRequired],
      ])
      const id = `${side}-${isRequired ? 'required' : 'optional'}-property-became`
      return [
        [`${id}-${name}`, change(free, marked)],
        [`${id}-not-${name}`, change(marked, free)],
      ]
    }),
  )
  return Object.fromEntries(entries)
}

/** @returns {Record<string, Pair>} */
function listMappings(/** @type {'request' | 'response'} */ side) {
  const create = {
    body: (/** @type {object} */ schema) => sides[side](schema, { components: { schemas } }),
    property: (/** @type {object} */ schema) => sides[side](object(schema, true), { components: { schemas } }),
  }
  const entries = Object.entries(create).flatMap(([place, document]) => {
    const [one, two, other] = [{ circle: 'Circle' }, { circle: 'Circle', square: 'Square' }, { circle: 'Square' }].map((mapping) =>
      document(union(mapping)),
    )
    const id = `${side}-${place}-discriminator-mapping`
    return [
      [`${id}-added`, [one, two]],
      [`${id}-deleted`, [two, one]],
      [`${id}-changed`, [one, other]],
    ]
  })
  return Object.fromEntries(entries)
}

const request = changeMember('request', object)
const response = changeMember('response', object)
const writeOnly = { ...text, writeOnly: true }
const withDefault = { ...text, default: 'agate' }
/** @type {readonly [undefined]} */
const none = [undefined]

/** @type {Readonly<Record<string, Pair>>} */
export const memberChanges = {
  ...listLifecycle('request'),
  ...listLifecycle('response'),
  ...listMutability('request'),
  ...listMutability('response'),
  ...listMappings('request'),
  ...listMappings('response'),
  'request-property-became-required': request([text], [text, true]),
  'request-property-became-required-with-default': request([withDefault], [withDefault, true]),
  'request-property-became-optional': request([text, true], [text]),
  'request-property-removed': request([text], none),
  'new-required-request-property': request(none, [text, true]),
  'new-required-request-property-with-default': request(none, [withDefault, true]),
  'new-optional-request-property': request(none, [text]),
  'response-property-became-optional': response([text, true], [text]),
  'response-property-became-required': response([text], [text, true]),
  'response-write-only-property-became-optional': response([writeOnly, true], [writeOnly]),
  'response-write-only-property-became-required': response([writeOnly], [writeOnly, true]),
  'response-property-type-compatible': response([text, true], [{ ...text, format: 'date' }, true]),
  'response-optional-property-removed': response([text], none),
  'response-optional-property-added': response(none, [text]),
  'response-optional-write-only-property-removed': response([writeOnly], none),
  'response-optional-write-only-property-added': response(none, [writeOnly]),
  'response-required-property-removed': response([text, true], none),
  'response-required-property-added': response(none, [text, true]),
  'response-required-write-only-property-removed': response([writeOnly, true], none),
  'response-required-write-only-property-added': response(none, [writeOnly, true]),
}
