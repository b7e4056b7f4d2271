/** Parameters of operations, and headers of responses: their styles, names and values. */
import type { Delimiter, JsonSchema } from 'lapidary'
import { createTextFormat, flattenAllOf, isHeaderName, isJsonObject, parseSchema } from 'lapidary/internal'
import { dropUselessDefault } from './defaults.ts'
import type { DocumentReader, JsonObject, Part } from './document.ts'
import { inlineDefinitions } from './inline.ts'
import type { Direction, DocumentSchemas } from './schemas.ts'

/** Where a parameter stands. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** A parameter of an operation, or a header of a response. */
export interface ParameterPlan {
  readonly name: string
  /**
   * `schema`: its schema says which value a text stands for. `object`: each member is a parameter of its own, `filter[owner]`. `flag`: a name
   * without a value.
   */
  readonly kind: 'schema' | 'object' | 'flag'
  readonly schema: JsonSchema
  readonly isRequired: boolean
  /** What stands between the values of a list in one text of the query. */
  readonly delimiter?: Delimiter
}

/** The parameters of an operation, by their places. */
export type ParameterPlans = Readonly<Record<ParameterPlace, readonly ParameterPlan[]>>

/** Headers whose parameters OpenAPI ignores: other parts of the document describe them. */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])
/** Headers that adapters and the toolkit set themselves. */
const ownHeaders: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'host', 'date', 'vary'])

/** The style of a place, where a parameter names none. */
const defaultStyles: Readonly<Record<ParameterPlace, string>> = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' }

/** What stands between the values of a list in the query, by its style. With `explode`, each value is a text of its own. */
const delimiters: Readonly<Record<string, Delimiter>> = { form: ',', pipeDelimited: '|', spaceDelimited: ' ' }

const textSchema: JsonSchema = { type: 'string' }

const isObjectSchema = (schema: JsonSchema): boolean =>
  flattenAllOf(parseSchema(schema)).some(({ types, parts }) => types.includes('object') || parts.properties.size > 0)

const isArraySchema = (schema: JsonSchema): boolean => parseSchema(schema).types.includes('array')

/** Why no text holds the values of a schema; undefined where one does. */
function findTextProblem(schema: JsonSchema): string | undefined {
  try {
    createTextFormat(parseSchema(schema))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Reads the parameters of one document. */
export class ParameterReader {
  private readonly reader: DocumentReader
  private readonly schemas: DocumentSchemas

  constructor(reader: DocumentReader, schemas: DocumentSchemas) {
    this.reader = reader
    this.schemas = schemas
  }

  /** The parameters of an operation: its own, and those of its path that it does not replace. */
  all(pathItem: Part, operation: Part): readonly Part<JsonObject>[] {
    const found = new Map<string, Part<JsonObject>>()
    for (const owner of [pathItem, operation]) {
      for (const [, part] of this.reader.objects(this.reader.member(owner, 'parameters')))
        found.set(`${part.value['in']} ${part.value['name']}`, part)
    }
    return [...found.values()]
  }

  /** A parameter as the plans of its place; none where it is left out. */
  plan(part: Part<JsonObject>, place: ParameterPlace): readonly ParameterPlan[] {
    const { value, pointer } = part
    const name = value['name']
    if (typeof name !== 'string' || name === '') {
      this.reader.limits.add('parameter-name', pointer, 'A parameter needs a name. It is left out.')
      return []
    }
    if (place === 'header' && !this.isHeaderOfItsOwn(name, pointer)) return []
    const isRequired = place === 'path' || value['required'] === true
    const { schema, isJson } = this.readSchema(part, isRequired, 'request')
    if (isJson) return [this.toText(name, isRequired, schema, pointer, `The parameter "${name}" has its value as JSON.`)]
    if (value['allowReserved'] === true)
      this.reader.limits.add('allow-reserved', `${pointer}/allowReserved`, `The value of "${name}" is percent-encoded as a whole.`)
    const isFlag = value['allowEmptyValue'] === true && schema.type === 'boolean' && schema.const === true
    if (isFlag && place === 'query') return [{ name, kind: 'flag', schema, isRequired: false }]
    return this.planStyle(part as Part<JsonObject & { readonly name: string }>, place, schema, isRequired)
  }

  /** A header of a response; undefined where it is left out. */
  planHeader(name: string, part: Part<JsonObject>): ParameterPlan | undefined {
    if (!this.isHeaderOfItsOwn(name, part.pointer)) return undefined
    const isRequired = part.value['required'] === true
    const { schema, isJson } = this.readSchema(part, isRequired, 'response')
    const problem = isJson || isObjectSchema(schema) ? 'an object or JSON' : findTextProblem(schema)
    if (problem === undefined) return { name, kind: 'schema', schema, isRequired }
    return this.toText(name, isRequired, schema, part.pointer, `The header "${name}" is no text or list of texts (${problem}).`)
  }

  private isHeaderOfItsOwn(name: string, pointer: string): boolean {
    const lower = name.toLowerCase()
    if (ignoredHeaders.has(lower)) {
      this.reader.limits.add('header', pointer, `OpenAPI ignores a parameter "${name}": bodies and security schemes describe it.`)
      return false
    }
    if (ownHeaders.has(lower)) {
      // Vary follows from the description, so nothing is lost.
      if (lower !== 'vary') this.reader.limits.add('header', pointer, `The header "${name}" is set by HTTP itself. It is left out.`)
      return false
    }
    if (isHeaderName(name)) return true
    this.reader.limits.add('parameter-name', pointer, `No header can have the name ${JSON.stringify(name)}. It is left out.`)
    return false
  }

  /** The schema of a parameter, and whether its text is JSON. Its description and examples are those of the parameter. */
  private readSchema(
    part: Part<JsonObject>,
    isRequired: boolean,
    direction: Direction,
  ): { readonly schema: JsonSchema; readonly isJson: boolean } {
    const content = this.reader.object(part, 'content')
    const [entry] = this.reader.entries(content)
    const isJson = entry !== undefined && /[/+]json\b/.test(entry[0])
    const owner = entry === undefined ? part : entry[1]
    const found = isJsonObject(owner.value) && owner.value['schema'] !== undefined ? owner.value['schema'] : undefined
    const read =
      found === undefined ? textSchema : inlineDefinitions(this.schemas.of({ value: found, pointer: `${owner.pointer}/schema` }, direction))
    const description = this.reader.text(part, 'description')
    const { example } = part.value
    const named = this.reader
      .entries(this.reader.object(part, 'examples'))
      .flatMap(([, { value }]) => (isJsonObject(value) ? [value['value']] : []))
    const examples = [example, ...named].filter((one) => one !== undefined)
    return {
      schema: {
        ...dropUselessDefault(read, isRequired, `${owner.pointer}/schema`, this.reader.limits),
        ...(description !== undefined && { description }),
        ...(examples.length > 0 && { examples }),
      },
      isJson,
    }
  }

  /** A parameter whose text is not read further. */
  private toText(name: string, isRequired: boolean, { description }: JsonSchema, pointer: string, problem: string): ParameterPlan {
    this.reader.limits.add('parameter-form', pointer, `${problem} It is read as a text.`)
    return { name, kind: 'schema', schema: { ...textSchema, ...(description !== undefined && { description }) }, isRequired }
  }

  private planStyle(
    part: Part<JsonObject & { readonly name: string }>,
    place: ParameterPlace,
    schema: JsonSchema,
    isRequired: boolean,
  ): readonly ParameterPlan[] {
    const { value, pointer } = part
    const { name } = value
    const style = typeof value['style'] === 'string' ? value['style'] : defaultStyles[place]
    const explode = typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form'
    const form = isObjectSchema(schema) ? 'object' : isArraySchema(schema) ? 'array' : 'text'
    const asText = (): readonly ParameterPlan[] => {
      this.reader.limits.add(
        'parameter-style',
        pointer,
        `The parameter "${name}" in the ${place} is an ${form} in the style ${style}${explode ? ' with explode' : ''}. It is read as a text.`,
      )
      const { description } = schema
      return [{ name, kind: 'schema', schema: { ...textSchema, ...(description !== undefined && { description }) }, isRequired }]
    }
    if (form === 'object') {
      if (place === 'query' && style === 'deepObject') return [this.planObject(name, schema, isRequired, pointer)]
      return place === 'query' && style === 'form' && explode ? this.planMembers(part, schema, isRequired) : asText()
    }
    const delimiter = form === 'array' && place === 'query' && !explode ? delimiters[style] : undefined
    if (form === 'array') {
      const isRead = place === 'query' ? Object.hasOwn(delimiters, style) : place === 'header' && style === 'simple'
      if (!isRead) return asText()
    } else if (place === 'path' && style !== 'simple') return asText()
    const problem = findTextProblem(schema)
    if (problem !== undefined)
      return [this.toText(name, isRequired, schema, pointer, `The parameter "${name}" has a schema that no text holds (${problem}).`)]
    return [{ name, kind: 'schema', schema, isRequired, ...(delimiter && { delimiter }) }]
  }

  /** An object in the style `deepObject`, of members that are texts or lists. */
  private planObject(name: string, schema: JsonSchema, isRequired: boolean, pointer: string): ParameterPlan {
    const members = flattenAllOf(parseSchema(schema)).flatMap(({ parts }) => [...parts.properties.values()])
    const isFlat = members.length > 0 && members.every((member) => findTextProblem(member.schema) === undefined)
    if (isFlat) return { name, kind: 'object', schema, isRequired }
    return this.toText(name, isRequired, schema, pointer, `The object "${name}" has members that are no texts, or none with a name.`)
  }

  /** An object in the style `form` with explode: its members are parameters, and its own name is not in the query. */
  private planMembers(part: Part<JsonObject>, schema: JsonSchema, isRequired: boolean): readonly ParameterPlan[] {
    const { properties, required } = this.schemas.members({ value: part.value['schema'], pointer: `${part.pointer}/schema` }, 'request')
    if (properties.size === 0)
      return [this.toText(String(part.value['name']), isRequired, schema, part.pointer, 'The schema names no members.')]
    return [...properties].map(([name, member]): ParameterPlan => {
      const isMemberRequired = isRequired && required.has(name)
      const problem = isObjectSchema(member) ? 'an object' : findTextProblem(member)
      if (problem === undefined) return { name, kind: 'schema', schema: inlineDefinitions(member), isRequired: isMemberRequired }
      return this.toText(name, isMemberRequired, member, part.pointer, `The member "${name}" is no text (${problem}).`)
    })
  }
}
