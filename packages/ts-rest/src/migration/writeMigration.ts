/** `writeMigration(contract)`: the description that takes the place of a contract, as a module. */

import {
  type Code,
  call,
  listCode,
  member,
  prefixCode,
  record,
  write,
  writeImport,
  writeName,
  writeText,
  writeValue,
} from 'lapidary/internal'
import { isRoute, type RuntimeRouter } from '../contract.ts'
import type { FormPartPlan } from '../formParts.ts'
import {
  type BodyPlan,
  type ParametersPlan,
  plainTextType,
  planContract,
  type ReplyPlan,
  type RoutePlan,
  type SchemaPlan,
} from '../plan.ts'
import type { Place } from '../schemas/toJsonSchema.ts'
import { hasDate, isOneWay, readTree } from '../schemas/toSchema.ts'
import { listParts, type Tree } from '../schemas/tree.ts'
import { type SchemaWriter, UnwrittenError, writeDefinition, writeSchema } from './writeSchema.ts'

/** Where a contract stands. */
export interface ContractModule {
  /** All exports of its module: a schema among them keeps its name. */
  readonly exports: Readonly<Record<string, unknown>>
  /** The name of the export that is the contract. */
  readonly name: string
  /** How the new module imports it: `./contract.ts`. */
  readonly specifier: string
}

/** A module, and what its owner should know about it. */
export interface Migration {
  readonly code: string
  /** Sentences, each about one place of the contract. */
  readonly notes: readonly string[]
}

/** Codecs of dates, as the cookbook has them. */
const dateCodecs = {
  dateTime: `const dateTime = z.codec(z.string().meta({ format: 'date-time' }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})`,
  dateText: `const dateText = z.codec(z.string(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})`,
} as const

const numberCodec = `const number = codec<number>({
  name: 'number',
  parse: (text) =>
    /^-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?$/i.test(text) ? Number(text) : parseError('a number'),
  print: String,
  schema: { type: 'number' },
  example: 1.5,
})`

/** Names that a file may have besides those of its schemas. */
const ownNames =
  'api apiKey array authorization bool bytes codec content contractSchema dateText dateTime endpoint file form int json mediaType multipart noContent number ok oneOf optional parseError reply schemaCodec text z'.split(
    ' ',
  )

const toPascal = (words: readonly string[]): string =>
  words
    .flatMap((word) => word.match(/[A-Za-z0-9]+/g) ?? [])
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** The words of a place, which are a part of a name. */
const listWords = (path: readonly string[]): readonly string[] =>
  path.flatMap((word) =>
    word === 'responses' ? [] : /^[123]\d\d$/.test(word) ? ['response'] : /^[45]\d\d$/.test(word) ? ['error'] : [word],
  )

/** A name for a schema: what its places share, such as `PostsBody`, or the place where it stands first. */
function nameSchema(paths: readonly (readonly string[])[]): string {
  const [first = [], ...others] = paths.map(listWords)
  const role = first.at(-1) ?? ''
  const isOneRole = others.every((words) => words.at(-1) === role)
  const count = first.slice(0, -1).findIndex((word, index) => others.some((words) => words[index] !== word))
  const shared = isOneRole && count >= 0 ? [...first.slice(0, count), role] : first
  const name = toPascal(shared)
  // `Error`, `Response` and `Date` are names of the language.
  return name in globalThis || (shared.length === 1 && first.length > 1) ? `${name}Schema` : name
}

/** Whether a schema is worth a name: an object or a choice. */
const isNameable = (tree: Tree): boolean =>
  tree.kind === 'object' || tree.kind === 'union' || (tree.kind === 'scalar' && tree.name === 'enum')

/** An access to a place of the contract: `contract.posts.create.body`. */
const writeAccess = (root: string, path: readonly string[]): string =>
  root +
  path.map((step) => (/^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : /^\d+$/.test(step) ? `[${step}]` : `[${writeText(step)}]`)).join('')

/** The type of JSON values. */
function writeType(values: readonly unknown[]): string {
  const types = new Set(
    values.map((value) => {
      if (Array.isArray(value)) return `readonly ${value.length === 0 ? 'unknown' : wrapUnion(writeType(value))}[]`
      if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
      return `{ ${Object.entries(value)
        .map(([name, one]) => `readonly ${writeName(name)}: ${writeType([one])}`)
        .join('; ')} }`
    }),
  )
  return [...types].join(' | ')
}
const wrapUnion = (type: string): string => (type.includes(' | ') ? `(${type})` : type)

/** Writes one file. */
class MigrationWriter implements SchemaWriter {
  readonly notes: string[] = []
  private readonly module: ContractModule
  private readonly words = new Set<string>(['endpoint'])
  private readonly constants = new Map<string, string>()
  /** The names of schemas, by what they were read from. */
  private readonly names = new Map<object, string>()
  private readonly schemas = new Map<string, string>()
  private readonly dates = new Set<keyof typeof dateCodecs>()
  private readonly pending = new Set<object>()
  private readonly contractName: string
  private usesContract = false
  private usesContractSchema = false

  constructor(plans: readonly RoutePlan[], module: ContractModule) {
    this.module = module
    const exported = new Map(
      Object.entries(module.exports).flatMap(([name, value]) =>
        typeof value === 'object' && value !== null && name !== 'default' ? [[value as object, name] as const] : [],
      ),
    )
    const places = new Map<object, (readonly string[])[]>()
    const lazyParts = new Set<object>()
    const visit = (tree: Tree, path: readonly string[]): void => {
      if (isNameable(tree)) {
        const seen = places.get(tree.source)
        places.set(tree.source, [...(seen ?? []), path])
        if (seen !== undefined) return
      }
      if (tree.kind === 'lazy') {
        if (lazyParts.has(tree.source) && !isNameable(tree.read())) return
        lazyParts.add(tree.source)
      }
      if (tree.kind === 'object') for (const [name, part] of tree.members) visit(part, [name])
      else for (const part of listParts(tree)) visit(part, path)
    }
    for (const { source, path } of plans.flatMap(listSchemas)) {
      const tree = readTree(source)
      if (tree !== undefined) visit(tree, path)
    }
    // The module exports a name of its own: `api`.
    this.contractName = ownNames.includes(module.name) ? 'contract' : module.name
    const taken = new Set([...ownNames, this.contractName])
    for (const [source, paths] of places) {
      const own = exported.get(source)
      if (own === undefined && paths.length < 2) continue
      const wanted = own ?? nameSchema(paths)
      let name = wanted
      for (let index = 2; taken.has(name); index += 1) name = `${wanted}${index}`
      taken.add(name)
      this.names.set(source, name)
    }
  }

  readonly findName = (tree: Tree, isLater: boolean): string | undefined => {
    const name = this.names.get(tree.source)
    if (name === undefined) return undefined
    if (this.pending.has(tree.source)) return isLater ? name : undefined
    if (!this.schemas.has(name)) {
      this.pending.add(tree.source)
      try {
        const code = writeDefinition(tree, 'json', this)
        const isExported = Object.hasOwn(this.module.exports, name)
        this.schemas.set(name, write(prefixCode(`${isExported ? 'export ' : ''}const ${name} = `, code)))
      } finally {
        this.pending.delete(tree.source)
      }
    }
    return name
  }

  readonly useDate = (name: keyof typeof dateCodecs): void => void this.dates.add(name)

  private word(name: string): string {
    this.words.add(name)
    return name
  }

  private note(path: readonly string[], sentence: string): void {
    this.notes.push(`${path.join('.')}: ${sentence}`)
  }

  /** A schema: written down, or that of the contract where it cannot be. */
  private schema({ source, path }: SchemaPlan, place: Place): Code {
    const tree = readTree(source)
    let reason = `it is a schema of ${String(Reflect.get(Object(Reflect.get(source, '~standard')), 'vendor'))}`
    if (tree !== undefined) {
      try {
        if (hasDate(tree) && isOneWay(tree) && path.includes('responses'))
          throw new UnwrittenError('it has dates, and a part that only decodes')
        const code = writeSchema(tree, place, this)
        return hasDate(tree) && !isOneWay(tree) ? call(this.word('schemaCodec'), code) : code
      } catch (error) {
        if (!(error instanceof UnwrittenError)) throw error
        reason = error.message
      }
    }
    this.note(path, `the schema stays in the contract, because ${reason}.`)
    this.usesContract = true
    this.usesContractSchema = true
    const access = writeAccess(this.contractName, path)
    return call('contractSchema', access, ...(place === 'text' ? [`'text'`] : []))
  }

  private parameters(plan: ParametersPlan): Code {
    if (plan.kind === 'whole') return this.schema(plan.schema, 'text')
    return record(Object.entries(plan.schemas).map(([name, schema]) => member(writeName(name), this.schema(schema, 'text'))))
  }

  private part({ word, values = [], isList, isOptional }: FormPartPlan): Code {
    if (word === 'number') {
      this.constants.set('number', numberCodec)
      this.word('codec')
      this.word('parseError')
    } else this.word(word)
    const one = word === 'file' ? call('file') : word === 'oneOf' ? call('oneOf', ...values.map(writeText)) : word
    const all = isList ? call(this.word('array'), one) : one
    return isOptional ? call(this.word('optional'), all) : all
  }

  /** A media type of its own, which is a constant. */
  private mediaType(type: string, word: 'text' | 'json' | 'bytes', value: string): string {
    const pascal = toPascal([type.split(';', 1)[0] ?? ''])
    const name = pascal.slice(0, 1).toLowerCase() + pascal.slice(1)
    this.word('mediaType')
    this.word(word)
    this.constants.set(
      name,
      write(prefixCode(`const ${name} = `, call(`mediaType<${value}>`, record([`...${word}`, `types: [${writeText(type)}]`])))),
    )
    return name
  }

  private body(plan: BodyPlan, path: readonly string[]): Code {
    switch (plan.kind) {
      case 'json': {
        if (plan.type !== undefined) {
          const type = this.mediaType(plan.type, 'json', 'unknown')
          return plan.schema === undefined ? type : call(this.word('content'), this.schema(plan.schema, 'json'), type)
        }
        if (plan.schema !== undefined) return this.schema(plan.schema, 'json')
        this.note(path, 'c.type() has no schema, so it is any JSON. Write a schema, which checks it and documents it.')
        return this.word('json')
      }
      case 'form':
        if (plan.schema === undefined) {
          this.note(path, 'c.type() has no schema, so it is any form. Write a schema, which checks it and documents it.')
          return this.word('form')
        }
        return call(this.word('content'), this.schema(plan.schema, 'json'), this.word('form'))
      case 'multipart':
        return call(
          this.word('multipart'),
          record(Object.entries(plan.parts).map(([name, part]) => member(writeName(name), this.part(part)))),
        )
      case 'anyForm':
        this.note(
          path,
          'the contract does not say which parts are files and texts, so the form is bytes. Write multipart({ photo: file() }), which reads them.',
        )
        return this.mediaType('multipart/form-data', 'bytes', 'Uint8Array')
      case 'text':
        return plan.type === plainTextType ? this.word('text') : this.mediaType(plan.type, 'text', 'string')
      case 'bytes':
        return plan.type === 'application/octet-stream' ? this.word('bytes') : this.mediaType(plan.type, 'bytes', 'Uint8Array')
    }
  }

  private reply({ status, body }: ReplyPlan, path: readonly string[]): Code {
    if (body === undefined) return status === 204 ? this.word('noContent') : call(this.word('reply'), String(status))
    const code = this.body(body, [...path, 'responses', String(status)])
    return status === 200 ? call(this.word('ok'), code) : call(this.word('reply'), String(status), code)
  }

  private credentials({ credentials }: RoutePlan): Code {
    this.word('apiKey')
    this.constants.set('authorization', `export const authorization = apiKey<string>({ in: 'header', name: 'Authorization' })`)
    return credentials === 'optional' ? call(this.word('optional'), 'authorization') : 'authorization'
  }

  private meta({ meta, path }: RoutePlan): readonly Code[] {
    const code = writeValue(meta)
    if (meta === undefined || Object.keys(meta).length === 0) return []
    if (code !== undefined) return [member('meta', code)]
    this.note([...path, 'metadata'], 'it has a value that cannot be written down. Copy it to meta.')
    return []
  }

  endpoint(plan: RoutePlan): Code {
    const { line, route, path, params, query, headers, body, responses, errors } = plan
    const replies = responses.map((reply) => this.reply(reply, path))
    const bodyCode = body && this.body(body, [...path, 'body'])
    const members: readonly (readonly Code[])[] = [
      route.summary === undefined ? [] : [member('summary', writeText(route.summary))],
      route.description === undefined ? [] : [member('description', writeText(route.description))],
      route.deprecated === true ? ['deprecated: true'] : [],
      params === undefined ? [] : [member('params', this.parameters(params))],
      query === undefined ? [] : [member('query', this.parameters(query))],
      headers === undefined ? [] : [member('headers', this.parameters(headers))],
      plan.credentials === undefined ? [] : [member('auth', this.credentials(plan))],
      bodyCode === undefined ? [] : [member('body', plan.isBodyOptional ? call(this.word('optional'), bodyCode) : bodyCode)],
      [member('response', replies.length === 1 ? (replies[0] as Code) : listCode(replies))],
      errors.length === 0 ? [] : [member('errors', listCode(errors.map((reply) => this.reply(reply, path))))],
      this.meta(plan),
    ]
    return call('endpoint', writeText(line), record(members.flat(), true))
  }

  /** The whole file, around the API. */
  file(api: string, metas: readonly object[]): string {
    const usesZod = this.dates.size > 0 || /\bz\./.test(api) || [...this.schemas.values()].some((text) => /\bz\./.test(text))
    const imports = [
      ...(this.usesContractSchema ? [`import { contractSchema } from '@lapidary/ts-rest'`] : []),
      writeImport(this.words, 'lapidary'),
      ...(usesZod ? [`import { z } from 'zod'`] : []),
      ...(this.usesContract
        ? [
            `import { ${this.module.name}${this.contractName === this.module.name ? '' : ` as ${this.contractName}`} } from ${writeText(this.module.specifier)}`,
          ]
        : []),
    ]
    const parts = [
      imports.join('\n'),
      ...(metas.length === 0 ? [] : [writeMetaType(metas)]),
      ...[...this.dates].sort().map((name) => dateCodecs[name]),
      ...this.constants.values(),
      ...this.schemas.values(),
      api,
    ]
    return `${parts.join('\n\n')}\n`
  }
}

/** The members that `meta` has anywhere. */
function writeMetaType(metas: readonly object[]): string {
  const members = new Map<string, unknown[]>()
  for (const [name, value] of metas.flatMap(Object.entries)) members.set(name, [...(members.get(name) ?? []), value])
  const lines = [...members].map(([name, values]) => `    readonly ${writeName(name)}?: ${writeType(values)}\n`)
  return `declare module 'lapidary' {\n  interface EndpointMeta {\n${lines.join('')}  }\n}`
}

const listParameterSchemas = (plan: ParametersPlan | undefined): readonly SchemaPlan[] =>
  plan === undefined ? [] : plan.kind === 'whole' ? [plan.schema] : Object.values(plan.schemas)

/** The schemas of a route, in the order in which they stand in the file. */
const listSchemas = ({ params, query, headers, body, responses, errors }: RoutePlan): readonly SchemaPlan[] => [
  ...[params, query, headers].flatMap(listParameterSchemas),
  ...[body, ...responses.map((reply) => reply.body), ...errors.map((reply) => reply.body)].flatMap((one) =>
    one !== undefined && 'schema' in one && one.kind !== 'multipart' && one.schema !== undefined ? [one.schema] : [],
  ),
]

/**
 * Writes the description that takes the place of a contract.
 *
 * @throws TypeError that names the place in the contract, for what an API cannot have
 */
export function writeMigration(contract: RuntimeRouter, module: ContractModule): Migration {
  const plans = planContract(contract)
  const writer = new MigrationWriter(plans, module)
  const codes = new Map(plans.map((plan) => [plan.path.join('\n'), writer.endpoint(plan)]))
  const nest = (router: RuntimeRouter, path: readonly string[]): Code =>
    record(
      Object.entries(router).map(([name, value]) => {
        const place = [...path, name]
        return member(writeName(name), isRoute(value) ? (codes.get(place.join('\n')) as Code) : nest(value, place))
      }),
      true,
    )
  const api = write(prefixCode('export const api = ', nest(contract, [])))
  const metas = plans.flatMap(({ meta }) =>
    meta === undefined || writeValue(meta) === undefined || Object.keys(meta).length === 0 ? [] : [meta],
  )
  return { code: writer.file(api, metas), notes: writer.notes }
}
