/** `writeModule(document)`: the description of a document as a module of TypeScript, which people then own. */
import {
  type Code,
  call,
  isJsonObject,
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
import type { AuthPlan } from '../auth.ts'
import type { JsonObject } from '../document.ts'
import type { EndpointPlan } from '../endpointPlan.ts'
import { type CreatedPart, createParts, type ImportedApi, planDocument } from '../fromOpenApi.ts'
import type { LimitList } from '../limits.ts'
import { nest, toKey } from '../names.ts'
import type { WebhookPlan } from '../webhooks.ts'
import { DefinitionWriter } from './definitions.ts'
import { PartWriter } from './writeParts.ts'

/** Names that a module may have besides those of its schemas. */
const ownNames =
  'api apiKey array authScheme basic bearer bool bytes codec content date dateTime download endpoint events file flag form int JsonSchema json mediaType mediaTypes mount multipart ndjson noContent numberCodec oauth2 ok oneOf openIdConnect optional parseError problem reply text textCodec uuid webhook z either both'.split(
    ' ',
  )

/** Words of JavaScript that no constant has as its name, in a module (ECMA-262 §12.7.2). */
const reservedWords =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  )

/** A module, and what the document says and it does not. */
export interface WrittenModule extends Pick<ImportedApi, 'limits'> {
  readonly code: string
}

/** Writes one module. */
class ModuleWriter {
  private readonly definitions = new DefinitionWriter(ownNames)
  private readonly parts = new PartWriter(this.definitions)
  private readonly schemes: JsonObject
  /** The constants of auth schemes, by their names in the document. */
  private readonly schemeNames = new Map<string, string>()
  private readonly authConstants: string[] = []
  private readonly errorCounts = new Map<string, number>()
  /** The names of lists of errors, by their code. */
  private readonly errorLists = new Map<string, string>()

  constructor(schemes: JsonObject) {
    this.schemes = schemes
  }

  /** The constant of an auth scheme. */
  private scheme(name: string): string {
    const known = this.schemeNames.get(name)
    if (known !== undefined) return known
    const value = this.schemes[name]
    const { description: _, ...openapi } = isJsonObject(value) ? value : {}
    const word = (text: string): string => this.parts.word(text)
    const key = toKey(name) || 'scheme'
    const constant = this.definitions.takeName(ownNames.includes(key) || reservedWords.includes(key) ? `${key}Auth` : key)
    this.schemeNames.set(name, constant)
    const base = this.baseScheme(name, openapi)
    const types = openapi['type'] === 'http' && /^basic$/i.test(String(openapi['scheme'])) ? '' : ', string, string'
    const code =
      base === undefined
        ? this.otherScheme(name, openapi)
        : call(
            `${word('authScheme')}${types === '' ? '' : '<unknown, string, string>'}`,
            record([`...${write(base)}`, member('name', writeText(name)), member('openapi', writeValue(openapi) as Code)], true),
          )
    this.authConstants.push(write(prefixCode(`export const ${constant} = `, code)))
    return constant
  }

  private baseScheme(name: string, openapi: JsonObject): Code | undefined {
    const { type, in: place, name: key, scheme } = openapi
    if (type === 'apiKey')
      return call(this.parts.word('apiKey'), record([member('in', writeText(String(place))), member('name', writeText(String(key)))]))
    if (type === 'oauth2' || type === 'openIdConnect' || /^bearer$/i.test(String(scheme)))
      return call(this.parts.word('bearer'), writeText(name))
    return /^basic$/i.test(String(scheme)) ? call(this.parts.word('basic'), writeText(name)) : undefined
  }

  private otherScheme(name: string, openapi: JsonObject): Code {
    const word = String(openapi['scheme'])
    return call(
      'authScheme<unknown, string, string>',
      record(
        [
          member('name', writeText(name)),
          member('challenge', writeText(word)),
          `credentials: (header) => /^${word} +(.+)$/i.exec(header('authorization') ?? '')?.[1]`,
          `headers: (credentials) => ({ Authorization: \`${word} \${credentials}\` })`,
          member('openapi', writeValue(openapi) as Code),
        ],
        true,
      ),
    )
  }

  private auth(plan: NonNullable<AuthPlan>, ignoresInvalid: boolean): Code {
    const isOptional = plan.some((alternative) => alternative.length === 0)
    const alternatives = plan
      .filter((alternative) => alternative.length > 0)
      .map((alternative): Code => {
        const schemes = alternative.map(({ name, scopes }): Code => {
          const constant = this.scheme(name)
          return scopes.length === 0 ? constant : call(`${constant}.scopes`, ...scopes.map(writeText))
        })
        return schemes.length === 1 ? (schemes[0] as Code) : call(this.parts.word('both'), ...schemes)
      })
    const any = alternatives.length === 1 ? (alternatives[0] as Code) : call(this.parts.word('either'), ...alternatives)
    return isOptional ? call(this.parts.word('optional'), any, ...(ignoresInvalid ? [`{ invalid: 'ignore' }`] : [])) : any
  }

  /** The errors of an endpoint: a constant where several endpoints have the same. */
  private errors({ errors }: EndpointPlan): Code {
    const code = listCode(errors.map((reply) => this.parts.reply(reply)))
    const text = write(code)
    if (errors.length < 2 || (this.errorCounts.get(JSON.stringify(errors)) ?? 0) < 2) return code
    const known = this.errorLists.get(text)
    if (known !== undefined) return known
    const name = `commonErrors${this.errorLists.size === 0 ? '' : this.errorLists.size + 1}`
    this.errorLists.set(text, name)
    return name
  }

  /** Counts the errors that several endpoints have. */
  countErrors(plans: readonly EndpointPlan[]): void {
    for (const { errors } of plans) {
      const key = JSON.stringify(errors)
      this.errorCounts.set(key, (this.errorCounts.get(key) ?? 0) + 1)
    }
  }

  private endpoint(plan: EndpointPlan): Code {
    const { parts } = this
    const body = plan.body && parts.body(plan.body)
    const replies = plan.responses.map((reply) => parts.reply(reply))
    const { deprecated, ignoresInvalidCredentials, ...words } = plan.words ?? {}
    const optionalMember = (name: string, value: Code | undefined): readonly Code[] => (value === undefined ? [] : [member(name, value)])
    const members = [
      ...optionalMember('summary', plan.summary === undefined ? undefined : writeText(plan.summary)),
      ...optionalMember('description', plan.description === undefined ? undefined : writeText(plan.description)),
      ...optionalMember('tags', plan.tags && listCode(plan.tags.map(writeText))),
      ...(plan.isDeprecated ? [member('deprecated', deprecated === undefined ? 'true' : (writeValue(deprecated) as Code))] : []),
      ...(['params', 'query', 'headers', 'cookies'] as const).flatMap((place) =>
        plan[place].length === 0 ? [] : [member(place, parts.parameters(plan[place]))],
      ),
      ...optionalMember('auth', plan.auth && this.auth(plan.auth, ignoresInvalidCredentials === true)),
      ...optionalMember('body', body && (plan.isBodyOptional ? call(parts.word('optional'), body) : body)),
      member('response', replies.length === 1 ? (replies[0] as Code) : listCode(replies)),
      ...(plan.errors.length === 0 ? [] : [member('errors', this.errors(plan))]),
      ...Object.entries(words).map(([name, value]) => member(name, writeValue(value) as Code)),
    ]
    return call(parts.word('endpoint'), writeText(`${plan.method} ${plan.path}`), record(members, true))
  }

  part(created: CreatedPart): Code {
    if (created.kind === 'endpoint') return this.endpoint(created.plan)
    return created.kind === 'mount' ? this.mount(created.plan.prefix) : this.webhook(created.plan)
  }

  private mount(path: string): Code {
    return call(this.parts.word('mount'), writeText(path))
  }

  private webhook(plan: WebhookPlan): Code {
    const members = [
      ...(plan.summary === undefined ? [] : [member('summary', writeText(plan.summary))]),
      ...(plan.description === undefined ? [] : [member('description', writeText(plan.description))]),
      ...(plan.tags === undefined ? [] : [member('tags', listCode(plan.tags.map(writeText)))]),
      ...(plan.isDeprecated ? ['deprecated: true'] : []),
      member('body', this.parts.body(plan.body)),
    ]
    return call(this.parts.word('webhook'), writeText(plan.name), record(members, true))
  }

  /** What the module says, and the document does not. */
  addLimits(limits: LimitList): void {
    const { size } = this.definitions.withoutType
    const schemas =
      size === 1
        ? 'A schema has members and no "type". The module says that it is an object'
        : `${size} schemas have members and no "type". The module says that they are objects`
    if (size > 0) limits.add('missing-type', '', `${schemas}; the document allows any other value, too.`)
  }

  /** The whole file, around the API. */
  file(api: string): string {
    const lists = [...this.errorLists].map(([text, name]) => `const ${name} = ${text}`)
    const code = [...this.parts.constants.values(), ...this.authConstants, ...this.definitions.constants, ...lists, api]
    const usesSchema = this.parts.constants.size > 0 ? ['type JsonSchema'] : []
    const imports = [
      writeImport([...this.parts.words, ...usesSchema], 'lapidary'),
      ...(code.some((text) => /\bz\s*\./.test(text)) ? [`import { z } from 'zod'`] : []),
    ]
    return `${[imports.join('\n'), ...code].join('\n\n')}\n`
  }
}

/**
 * Writes the description of a document as a module: its schemas with zod, its auth schemes, and the API.
 *
 * @throws TypeError for a value that is no OpenAPI document
 */
export function writeModule(document: unknown): WrittenModule {
  const plan = planDocument(document)
  const parts = createParts(plan)
  const writer = new ModuleWriter(plan.securitySchemes)
  writer.countErrors(parts.flatMap((one) => (one.kind === 'endpoint' ? [one.plan] : [])))
  const entries = parts.map((one): readonly [readonly string[], () => Code] => {
    const code = writer.part(one)
    // A function is no group of endpoints.
    return [one.keys, () => code]
  })
  const nestCode = (value: unknown): Code => {
    if (typeof value === 'function') return value() as Code
    const members = Object.entries(value as Readonly<Record<string, unknown>>)
    return record(
      members.map(([name, part]) => member(writeName(name), nestCode(part))),
      true,
    )
  }
  const code = writer.file(write(prefixCode('export const api = ', nestCode(nest(entries)))))
  writer.addLimits(plan.limits)
  return { code, limits: plan.limits.list() }
}
