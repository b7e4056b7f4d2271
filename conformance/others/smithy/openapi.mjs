/** OpenAPI documents of the operations of a Smithy model, as the protocol restJson1 puts them on the wire. */

const integers = {
  Byte: { type: 'integer', minimum: -128, maximum: 127 },
  Short: { type: 'integer', minimum: -32_768, maximum: 32_767 },
  Integer: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  Long: { type: 'integer' },
}
const simple = {
  ...integers,
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  float: { type: 'number' },
  double: { type: 'number' },
  blob: { type: 'string', contentEncoding: 'base64' },
  document: {},
}
const kinds = {
  String: 'string',
  Boolean: 'boolean',
  Float: 'float',
  Double: 'double',
  Blob: 'blob',
  Timestamp: 'timestamp',
  Document: 'document',
}
const wireKinds = { byte: 'Byte', short: 'Short', integer: 'Integer', long: 'Long' }

/** The kind of a shape, that of the prelude included. @param {ReadonlyMap<string, import('./idl.mjs').Shape>} model @param {string} name */
export function getKind(model, name) {
  const plain = name.replace(/^Primitive/, '')
  const kind = model.get(name)?.kind ?? kinds[plain] ?? plain
  return wireKinds[kind] ?? kind
}

const formats = { header: 'http-date', query: 'date-time', path: 'date-time', body: 'epoch-seconds' }

/** The format of a timestamp: that of its member, of its shape, or of its place. */
export const getTimestampFormat = (model, { target, traits }, place) =>
  traits.timestampFormat ?? model.get(target)?.traits.timestampFormat ?? formats[place]

const timestamps = {
  'date-time': { type: 'string', format: 'date-time' },
  'http-date': { type: 'string', pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)? GMT$' },
  'epoch-seconds': { type: 'number' },
}

/** The limits of a length or a range. */
const toBounds = ({ min, max } = {}, [least, most]) => ({
  ...(min !== undefined && { [least]: min }),
  ...(max !== undefined && { [most]: max }),
})

export const getName = (name, { traits }) => traits.jsonName ?? name

/** The schemas of one model. They stand in the components of each document. */
export class Schemas {
  components = {}

  constructor(model) {
    this.model = model
  }

  /** The schema of a member. */
  of(member, place) {
    const { target, traits } = member
    const shape = this.model.get(target)
    const all = { ...shape?.traits, ...traits }
    const kind = getKind(this.model, target)
    const value = traits.default === undefined || traits.default === null ? {} : { default: this.toDefault(traits.default, kind) }
    return { ...this.ofKind(kind, member, shape, place), ...this.limits(kind, all), ...value }
  }

  toDefault(value, kind) {
    return kind === 'structure' || kind === 'union' ? undefined : value
  }

  limits(kind, { length, range, pattern, uniqueItems, enum: values }) {
    const names =
      kind === 'list' ? ['minItems', 'maxItems'] : kind === 'map' ? ['minProperties', 'maxProperties'] : ['minLength', 'maxLength']
    return {
      ...(kind !== 'blob' && toBounds(length, names)),
      ...toBounds(range, ['minimum', 'maximum']),
      ...(typeof pattern === 'string' && { pattern }),
      ...(uniqueItems !== undefined && { uniqueItems: true }),
      ...(Array.isArray(values) && { enum: values.map((one) => one.value) }),
    }
  }

  ofKind(kind, member, shape, place) {
    if (kind === 'timestamp') return timestamps[getTimestampFormat(this.model, member, place)]
    if (kind === 'enum')
      return {
        type: 'string',
        enum: Object.entries(shape.members).map(([name, one]) => one.traits.enumValue ?? one.traits.default ?? name),
      }
    if (kind === 'intEnum') return { ...integers.Integer }
    if (kind === 'list' || kind === 'set') {
      const items = this.of(shape.members.member, place)
      return { type: 'array', items: 'sparse' in shape.traits ? { anyOf: [items, { type: 'null' }] } : items }
    }
    if (kind === 'map') {
      const values = this.of(shape.members.value, place)
      return {
        type: 'object',
        additionalProperties: 'sparse' in shape.traits ? { anyOf: [values, { type: 'null' }] } : values,
        propertyNames: this.of(shape.members.key, place),
      }
    }
    if (kind === 'structure' || kind === 'union') return this.reference(member.target, kind, shape)
    return { ...(simple[kind] ?? {}) }
  }

  reference(name, kind, shape) {
    if (!(name in this.components)) {
      this.components[name] = {}
      this.components[name] = {
        ...this.object(shape.members),
        ...(kind === 'union' && { minProperties: 1, maxProperties: 1, additionalProperties: false }),
      }
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** The schema of members. */
  object(members) {
    const entries = Object.entries(members)
    const required = entries.filter(([, one]) => 'required' in one.traits).map(([name, one]) => getName(name, one))
    const properties = Object.fromEntries(entries.map(([name, one]) => [getName(name, one), this.of(one, 'body')]))
    return { type: 'object', properties, ...(required.length > 0 && { required }) }
  }
}

/** Where restJson1 puts a member. */
export function getPlace({ traits }) {
  if ('httpLabel' in traits) return 'path'
  if ('httpQuery' in traits) return 'query'
  if ('httpHeader' in traits) return 'header'
  if ('httpPayload' in traits) return 'payload'
  return 'httpQueryParams' in traits || 'httpPrefixHeaders' in traits ? 'other' : 'body'
}

const toParameter = (schemas, name, member) => {
  const place = getPlace(member)
  const wire = member.traits.httpQuery ?? member.traits.httpHeader ?? name
  return {
    name: wire,
    in: place,
    required: place === 'path' || 'required' in member.traits,
    schema: schemas.of(member, place),
    ...(place === 'header' && { style: 'simple' }),
  }
}

function toContent(schemas, model, members) {
  const payload = Object.values(members).find((member) => getPlace(member) === 'payload')
  if (payload !== undefined) {
    const kind = getKind(model, payload.target)
    const type = payload.traits.mediaType ?? model.get(payload.target)?.traits.mediaType
    if (kind === 'blob')
      return { [type ?? 'application/octet-stream']: { schema: { contentMediaType: type ?? 'application/octet-stream' } } }
    if (kind === 'string' || kind === 'enum') return { [type ?? 'text/plain']: { schema: { type: 'string' } } }
    return { 'application/json': { schema: schemas.of(payload, 'body') } }
  }
  const own = Object.fromEntries(Object.entries(members).filter(([, member]) => getPlace(member) === 'body'))
  return Object.keys(own).length === 0 ? undefined : { 'application/json': { schema: schemas.object(own) } }
}

/** The document of one operation. @param {ReadonlyMap<string, import('./idl.mjs').Shape>} model @param {string} name */
export function createDocument(model, name) {
  const { traits, properties } = model.get(name)
  const members =
    model.get(
      String(properties.input ?? '')
        .split('#')
        .at(-1),
    )?.members ?? {}
  const schemas = new Schemas(model)
  const parameters = Object.entries(members)
    .filter(([, member]) => ['path', 'query', 'header'].includes(getPlace(member)))
    .map(([key, member]) => toParameter(schemas, key, member))
  const content = toContent(schemas, model, members)
  const isRequired = Object.values(members).some((member) => ['body', 'payload'].includes(getPlace(member)) && 'required' in member.traits)
  const operation = {
    operationId: 'call',
    parameters,
    ...(content !== undefined && { requestBody: { required: isRequired, content } }),
    responses: { 204: { description: 'Done.' } },
  }
  const path = traits.http.uri.split('?')[0].replaceAll(/\{([^}+]+)\+\}/g, '{$1}')
  return {
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    paths: { [path]: { [traits.http.method.toLowerCase()]: operation } },
    components: { schemas: schemas.components },
  }
}
