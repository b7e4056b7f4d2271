/** Writes the parts of endpoints: parameters, bodies and replies. */
import type { JsonSchema } from 'lapidary'
import { type Code, call, createTextFormat, listCode, member, method, parseSchema, record, writeName, writeText } from 'lapidary/internal'
import type { BodyPlan } from '../bodies.ts'
import type { FormPartPlan } from '../formParts.ts'
import type { MediaPlan } from '../media.ts'
import type { ParameterPlan } from '../parameters.ts'
import type { ReplyPlan } from '../responses.ts'
import { getDefinition } from '../schemas.ts'
import type { DefinitionWriter } from './definitions.ts'
import { requireValue } from './zodWords.ts'

/** Options of a word; none where they are empty. */
const toOptions = (options: Readonly<Record<string, unknown>>): readonly Code[] => {
  const members = Object.entries(options).filter(([, value]) => value !== undefined)
  return members.length === 0 ? [] : [record(members.map(([name, value]) => member(name, requireValue(value))))]
}

/** Codecs of schemas that no codec of the toolkit has. */
const ownCodecs = {
  textCodec: `const textCodec = (name: string, schema: JsonSchema, example: string) =>
  codec<string>({ name, parse: (text) => text, print: (text) => text, schema, example })`,
  numberCodec: `const numberCodec = (name: string, schema: JsonSchema, example: number) =>
  codec<number>({
    name,
    parse: (text) => (/^-?\\d+(?:\\.\\d+)?$/.test(text) ? Number(text) : parseError('a number')),
    print: String,
    schema,
    example,
  })`,
} as const

/** Writes the parts of the endpoints of one module. */
export class PartWriter {
  private readonly definitions: DefinitionWriter
  /** The words of `lapidary` that the module imports. */
  readonly words: Set<string> = new Set<string>()
  /** Constants besides those of schemas. */
  readonly constants: Map<string, string> = new Map<string, string>()

  constructor(definitions: DefinitionWriter) {
    this.definitions = definitions
  }

  word(name: string): string {
    this.words.add(name)
    return name
  }

  schema(schema: JsonSchema): Code {
    const definition = getDefinition(schema)
    return definition === undefined
      ? this.definitions.writer(schema).write(schema)
      : this.definitions.define(definition.name, definition.schema, schema).name
  }

  parameters(plans: readonly ParameterPlan[]): Code {
    return record(
      plans.map((plan) => member(writeName(plan.name), this.parameter(plan))),
      plans.length > 2,
    )
  }

  private parameter({ kind, schema, isRequired, delimiter }: ParameterPlan): Code {
    if (kind === 'flag') return this.word('flag')
    const code = this.schema(schema)
    const value = isRequired || this.definitions.writer(schema).hasDefault(schema) ? code : method(code, 'optional')
    if (delimiter === undefined) return value
    return call(this.word('withDelimiter'), value, ...(delimiter === ',' ? [] : [writeText(delimiter)]))
  }

  /** A header of a response, and a part of a form: a codec, and no schema. */
  private codec(schema: JsonSchema, isRequired: boolean): Code {
    if (schema.type === 'array') {
      const { items, minItems, maxItems, description } = schema
      const item = (typeof items === 'object' ? items : {}) as JsonSchema
      const code = call(this.word('array'), this.scalar(item), ...toOptions({ minItems, maxItems, description }))
      return isRequired || !minItems ? code : call(this.word('optional'), code)
    }
    const code = this.scalar(schema)
    return isRequired || schema.default !== undefined ? code : call(this.word('optional'), code)
  }

  /** The codec of one text. */
  private scalar(schema: JsonSchema): Code {
    const { type, format, enum: values, minimum: min, maximum: max, minLength, maxLength, pattern, description, default: fallback } = schema
    const options = { description, default: fallback }
    const create = (name: string, own: Readonly<Record<string, unknown>> = {}): Code => {
      const given = toOptions({ ...own, ...options })
      return given.length === 0 ? this.word(name) : call(this.word(name), ...given)
    }
    const isSafe = (bound: unknown): boolean => Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER
    const others = Object.keys(schema).filter(
      (name) => !'type format enum minimum maximum minLength maxLength pattern description default examples'.split(' ').includes(name),
    )
    if (others.length === 0) {
      if (Array.isArray(values) && values.every((value) => typeof value === 'string') && format === undefined) {
        const [names, given] = [values.map(requireValue), toOptions(options)]
        return call(this.word('oneOf'), ...(given.length === 0 ? names : [listCode(names), ...given]))
      }
      if (type === 'integer') return create('int', { min: isSafe(min) ? undefined : min, max: isSafe(max) ? undefined : max })
      if (type === 'boolean') return create('bool')
      if (type === 'string' && (minLength ?? maxLength ?? pattern) === undefined) {
        const word = { date: 'date', 'date-time': 'dateTime', uuid: 'uuid' }[format ?? '']
        if (word !== undefined) return create(word)
      }
      const regex = pattern === undefined ? undefined : toPattern(pattern as string)
      const example = schema.examples?.find((one) => typeof one === 'string' && regex?.test(one))
      // A pattern needs an example that matches it.
      if (type === 'string' && format === undefined && (pattern === undefined || example !== undefined))
        return create('text', { minLength, maxLength, pattern: regex, examples: regex && [example] })
    }
    return this.otherCodec(schema)
  }

  /** A codec whose values are those of its JSON Schema. */
  private otherCodec(schema: JsonSchema): Code {
    const { name } = createTextFormat(parseSchema(schema))
    const isNumber = schema.type === 'number' || schema.type === 'integer'
    this.word('codec')
    if (isNumber) this.word('parseError')
    const constant = isNumber ? 'numberCodec' : 'textCodec'
    this.constants.set(constant, ownCodecs[constant])
    const { examples, ...rest } = schema
    const example = isNumber ? Number(examples?.[0] ?? schema.minimum ?? 1) : String(examples?.[0] ?? schema.enum?.[0] ?? 'text')
    return call(constant, writeText(name), requireValue(rest), requireValue(example))
  }

  private formPart({ kind, schema, isRequired, types }: FormPartPlan): Code {
    if (kind === 'text') return this.codec(schema, isRequired)
    const { minItems, maxItems, description, items } = schema
    const { maxLength } = kind === 'file' ? schema : ((items ?? {}) as JsonSchema)
    const maxSize = kind === 'file' || maxItems !== undefined ? maxLength : undefined
    const one = call(this.word('file'), ...toOptions({ types: types.length > 0 ? types : undefined, maxSize, description }))
    const part = kind === 'file' ? one : call(this.word('array'), one, ...toOptions({ minItems, maxItems }))
    return isRequired || (kind === 'files' && minItems === undefined) ? part : call(this.word('optional'), part)
  }

  private mediaType(media: MediaPlan): Code {
    if (media.kind === 'form') return this.word('form')
    if (media.kind !== 'json' && media.kind !== 'text' && media.kind !== 'bytes') return this.word('bytes')
    const { kind, type } = media
    const isUsual =
      kind === 'json'
        ? /^application\/json\b/i.test(type)
        : type === (kind === 'text' ? 'text/plain;charset=utf-8' : 'application/octet-stream')
    if (isUsual) return this.word(kind)
    return call(this.word('mediaType'), `{ ...${this.word(kind)}, types: [${writeText(type)}] }`)
  }

  body({ media, schema }: BodyPlan): Code {
    const [first, ...others] = media
    if (first.kind === 'multipart')
      return call(
        this.word('multipart'),
        record(
          first.parts.map((part) => member(writeName(part.name), this.formPart(part))),
          true,
        ),
      )
    if (first.kind === 'download') return call(this.word('download'), ...media.map((one) => writeText('type' in one ? one.type : '*/*')))
    if (first.kind === 'ndjson') return call(this.word('ndjson'), schema === undefined ? 'z.unknown()' : this.schema(schema))
    if (first.kind === 'events') {
      const [event] = first.events
      if (event?.name === undefined) return call(this.word('events'), event === undefined ? 'z.unknown()' : this.schema(event.schema))
      return call(this.word('events'), record(first.events.map((one) => member(writeName(one.name ?? ''), this.schema(one.schema)))))
    }
    // Several media types without a schema have no word: the first is the usual one.
    if (schema === undefined) return this.mediaType(first)
    const isJson = others.length === 0 && first.kind === 'json' && /^application\/json\b/i.test(first.type)
    return isJson ? this.schema(schema) : call(this.word('content'), this.schema(schema), ...media.map((one) => this.mediaType(one)))
  }

  reply(plan: ReplyPlan): Code {
    this.definitions.suffix = 'Output'
    const code = this.writeReply(plan)
    this.definitions.suffix = 'Input'
    return code
  }

  private writeReply({ status, range, body, headers, description, problem }: ReplyPlan): Code {
    const members = [
      ...(headers.length === 0
        ? []
        : [
            member(
              'headers',
              record(headers.map(({ name, schema, isRequired }) => member(writeName(name), this.codec(schema, isRequired)))),
            ),
          ]),
      ...(description === undefined ? [] : [member('description', writeText(description))]),
    ]
    if (problem !== undefined) {
      const { type, title, members: own } = problem
      const options = record([member('title', writeText(title)), ...members])
      return call(this.word('problem'), String(status), writeText(type), own === undefined ? 'undefined' : this.schema(own), options)
    }
    const options = members.length === 0 ? [] : [record(members)]
    const code = body && this.body(body)
    if (status === 204 && options.length === 0) return this.word('noContent')
    if (status === 200 && code !== undefined) return call(this.word('ok'), code, ...options)
    return call(
      this.word('reply'),
      range === undefined ? String(status) : writeText(range),
      ...(code === undefined ? (options.length > 0 ? ['undefined'] : []) : [code]),
      ...options,
    )
  }
}

function toPattern(pattern: string): RegExp | undefined {
  for (const flags of ['', 'u']) {
    try {
      return new RegExp(pattern, flags)
    } catch {}
  }
  return undefined
}
