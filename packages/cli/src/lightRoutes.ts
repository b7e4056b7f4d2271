/** The module of routes that the light client takes: the data of each endpoint, without schemas. */
import type { AnyEndpoint, AnyParameter, AnyReply, Api, Content } from 'lapidary'
import {
  getEncoder,
  getFileLimits,
  getJsonSchema,
  getListItem,
  getSetCookie,
  getStatusKey,
  idempotencyKeyHeader,
  isByteStream,
  isJsonEssence,
  isMount,
  isReadable,
  parseMediaType,
} from 'lapidary/internal'
import * as messages from './cliMessages.ts'
import { CliError } from './context.ts'
import { findSchemaChange } from './schemaChange.ts'

type AnyAuth = NonNullable<AnyEndpoint['auth']>
type AnyScheme = AnyAuth[number][number]['scheme']
type AnyMedia = Content<unknown, unknown>['media'][number]

/** Which endpoints a module has. */
export interface RouteSelection {
  /** The names of endpoints and groups; all others are left out. @default all */
  readonly only?: readonly string[]
  /** The names of endpoints and groups that are left out. @default none */
  readonly except?: readonly string[]
}

const quote = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__'
const printKey = (name: string): string => (isIdentifier(name) ? name : name === '__proto__' ? "['__proto__']" : quote(name))

/** Prints the members of an object in one line. */
const printObject = (members: readonly (readonly [name: string, code: string])[]): string =>
  `{ ${members.map(([name, code]) => (name === code && isIdentifier(name) ? name : `${printKey(name)}: ${code}`)).join(', ')} }`

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text)
const getMediaEssence = (type: string): string => parseMediaType(type)?.essence ?? type

/** Whether a function returns what is expected, and throws nothing. */
function returns(call: () => unknown, expected: unknown): boolean {
  try {
    const value = call()
    return value === expected || (typeof expected === 'object' && JSON.stringify(value) === JSON.stringify(expected))
  } catch {
    return false
  }
}

const rangeOrder: readonly AnyReply['range'][] = [undefined, '4XX', '5XX', 'default']

/** Prints the routes of an API. It collects what they import, and the auth schemes. */
class RoutePrinter {
  readonly imports: Set<string> = new Set()
  /** The auth schemes by their names in the module. */
  readonly schemes: Map<string, AnyScheme> = new Map()

  use(name: string): string {
    this.imports.add(name)
    return name
  }

  call(name: string, ...values: readonly string[]): string {
    return `${this.use(name)}(${values.join(', ')})`
  }

  /** Prints how a value is written into a request. */
  printWritten(place: string, parameter: AnyParameter, isHeader = false): string {
    if (parameter.delimiter !== undefined) {
      const { delimiter, ...list } = parameter
      const written = this.printWritten(place, list)
      return written === this.use('plain') ? `{ delimiter: ${quote(delimiter)} }` : `{ ...${written}, delimiter: ${quote(delimiter)} }`
    }
    const { read, repeats, examples } = parameter
    if (parameter.jsonSchema.const === true && read({ values: [], isPresent: true }) === true) return this.use('flag')
    const item = getListItem(parameter)
    if (item !== undefined) {
      const written = this.printWritten(place, item)
      return isHeader ? this.call('array', written) : written
    }
    // A schema describes its texts by its JSON Schema.
    if ('readInput' in parameter) {
      if ('wire' in parameter) throw new CliError(1, messages.encodedParameter(place))
      return isHeader && repeats ? this.call('array', this.use('plain')) : this.use('plain')
    }
    if (getFileLimits(parameter) !== undefined) return this.use('plain')
    const values = examples.map((text) => read({ values: [text], isPresent: true }) as unknown)
    if (values.every((value) => value instanceof Date && parameter.write(value)[0] === value.toISOString())) return this.use('dateTime')
    const isPlain = values.every(
      (value) => /^(?:string|number|boolean|bigint)$/.test(typeof value) && parameter.write(value)[0] === String(value),
    )
    if (!isPlain) throw new CliError(1, messages.customCodec(place, parameter.name))
    return this.use('plain')
  }

  /** Prints how a response header is read. */
  printRead(place: string, parameter: AnyParameter): string {
    const item = getListItem(parameter)
    if (item !== undefined) return this.call('array', this.printRead(place, item))
    const { read, examples, jsonSchema } = parameter
    if ('readInput' in parameter && 'wire' in parameter) throw new CliError(1, messages.encodedParameter(place))
    const types = [jsonSchema.type].flat()
    const samples = examples.length > 0 ? examples : types.includes('string') ? ['text'] : ['1']
    const isRead = (expected: (text: string) => unknown): boolean =>
      samples.every((text) => returns(() => read({ values: [text], isPresent: true }), expected(text)))
    const printed = isRead(String)
      ? 'plain'
      : isRead(Number)
        ? 'number'
        : isRead((text) => text === 'true')
          ? 'bool'
          : isRead((text) => new Date(text))
            ? 'dateTime'
            : undefined
    if (printed === undefined) throw new CliError(1, messages.customCodec(place, parameter.name))
    const code = parameter.repeats ? this.call('array', this.use(printed)) : this.use(printed)
    if (parameter.required || parameter.repeats) return code
    const fallback = read({ values: [], isPresent: false }) as unknown
    const [text] = fallback === undefined ? [] : parameter.write(fallback)
    return text === undefined ? this.call('optional', code) : this.call('optional', code, quote(text))
  }

  printHeaders(place: string, headers: AnyReply['headers']): string {
    const setCookie = getSetCookie(headers)
    return printObject(
      Object.entries(headers).map(([name, parameter]) => {
        if (setCookie !== parameter) return [name, this.printRead(`${place}: the header ${name}`, parameter)]
        const cookies = Object.entries(setCookie.cookies).map(
          ([cookie, one]) => [cookie, this.printRead(`${place}: the cookie ${cookie}`, { ...one, required: true })] as const,
        )
        return [name, this.call('setCookie', printObject(cookies))]
      }),
    )
  }

  /** Prints a media type; undefined for one that this side cannot use. */
  printMedia(place: string, content: Content<unknown, unknown>, media: AnyMedia, isRequest: boolean): string | undefined {
    const { types, reader, streamReader, parts } = media
    if (isRequest ? media.isResponseOnly : !isReadable(media)) return undefined
    const [first = ''] = types
    const essence = getMediaEssence(first)
    const jsonSchema = content.schema && getJsonSchema(content.schema)
    const rename = (code: string, usual: string, ...others: readonly string[]): string => {
      const essences = [...new Set(types.map(getMediaEssence))]
      const isUsual = first === usual && essences.join() === [getMediaEssence(usual), ...others].join()
      return isUsual ? code : this.call('typed', code, `[${essences.map(quote).join(', ')}]`, ...(isRequest ? [quote(first)] : []))
    }
    if (parts !== undefined) {
      const codecs = Object.entries(parts).map(([name, part]) => [name, this.printWritten(`${place}: the part ${name}`, part)] as const)
      return this.call('multipart', printObject(codecs))
    }
    if (isByteStream(media)) return rename(this.use('byteStream'), 'application/octet-stream')
    if (streamReader !== undefined && reader === undefined) {
      if (essence === 'text/event-stream') return this.call('events', String(jsonSchema?.anyOf !== undefined))
      if (types.includes('application/x-ndjson')) return rename(this.use('ndjson'), 'application/x-ndjson', 'application/jsonl')
      throw new CliError(1, messages.customMediaType(place, first))
    }
    if (content.isDownload) return rename(this.use('download'), 'application/octet-stream')
    if (essence === 'application/x-www-form-urlencoded') {
      if (!isRequest) throw new CliError(1, messages.customMediaType(place, first))
      return this.use('form')
    }
    const write = media.writer(undefined) as (value: unknown) => unknown
    const read = reader?.(undefined)
    const bytes = encodeText('"ä"')
    const isOf = (value: unknown, encoded: unknown): boolean =>
      isRequest ? returns(() => write(value), encoded) : returns(() => read?.(bytes), value)
    if (isJsonEssence(essence) && isOf('ä', '"ä"')) {
      const isList = isRequest && jsonSchema?.type === 'array'
      const code = isList ? this.call('jsonList', this.use('json')) : this.use('json')
      return rename(code, 'application/json;charset=utf-8')
    }
    if (isRequest ? returns(() => write(bytes), bytes) : returns(() => read?.(bytes), bytes))
      return rename(this.use('bytes'), 'application/octet-stream')
    if (isOf('"ä"', '"ä"')) return rename(this.use('text'), 'text/plain;charset=utf-8')
    throw new CliError(1, messages.customMediaType(place, first))
  }

  printContent(place: string, content: Content<unknown, unknown>, isRequest: boolean): string {
    const { schema } = content
    if (schema !== undefined) {
      // What a schema makes of a request is the matter of the server.
      const change = isRequest ? (getEncoder(schema) === undefined ? undefined : messages.encodedSchema()) : findSchemaChange(schema)
      if (change !== undefined) throw new CliError(1, messages.changedBody(place, change))
    }
    const media = content.media.flatMap((one) => this.printMedia(place, content, one, isRequest) ?? [])
    if (media.length === 0) return this.use('unreadable')
    const code = media.length === 1 ? `${media[0]}` : this.call('anyOf', ...media)
    return content.isOptional ? this.call('optionalBody', code) : code
  }

  printReply(route: string, reply: AnyReply): string {
    const place = `${route}: the response ${getStatusKey(reply)}`
    const body = reply.content === undefined ? this.use('none') : this.printContent(place, reply.content, false)
    const content = reply.problem === undefined ? body : this.call('problem', quote(reply.problem.type), body)
    const withHeaders =
      Object.keys(reply.headers).length === 0 ? content : this.call('withHeaders', content, this.printHeaders(place, reply.headers))
    return `[${reply.range === undefined ? reply.status : quote(reply.range)}, ${withHeaders}]`
  }

  /** Returns the name of a scheme in the module. */
  nameScheme(scheme: AnyScheme): string {
    const known = [...this.schemes].find(([, one]) => one === scheme)
    if (known !== undefined) return known[0]
    let name = scheme.name
    for (let count = 2; this.schemes.has(name); count += 1) name = `${scheme.name}${count}`
    this.schemes.set(name, scheme)
    return name
  }

  printScheme(scheme: AnyScheme): string {
    const { name, openapi, headers, query } = scheme
    const writes = (credentials: unknown, expected: object): boolean =>
      query === undefined && returns(() => headers?.(credentials), expected)
    if (writes({ username: 'a', password: 'b' }, { Authorization: 'Basic YTpi' })) return this.call('basic', quote(name))
    if (writes('a', { Authorization: 'Bearer a' })) return this.call('bearer', quote(name))
    const { type, in: place, name: key } = openapi
    const isKey =
      type === 'apiKey' &&
      typeof key === 'string' &&
      (place === 'query'
        ? returns(() => query?.('a'), { [key]: 'a' })
        : writes('a', place === 'cookie' ? { Cookie: `${key}=a` } : { [key]: 'a' }))
    return isKey
      ? this.call(
          'apiKey',
          printObject([
            ['in', quote(`${place}`)],
            ['name', quote(key)],
          ]),
        )
      : this.call('customScheme', quote(name))
  }

  printEndpoint(endpoint: AnyEndpoint): string {
    const { route, method, params, query, headers, cookies, auth, body, responses, errors, idempotent, parameterGroups } = endpoint
    const groups = Object.values(parameterGroups).flat()
    if (groups.some(({ schema }) => getEncoder(schema) !== undefined)) throw new CliError(1, messages.encodedParameter(route))
    const members: (readonly [name: string, code: string])[] = [['route', quote(`${method} ${encodeURI(route.slice(method.length + 1))}`)]]
    const nested = new Map(
      parameterGroups.query.flatMap(({ members: all }) => all.map(({ parameter, path }) => [parameter, path] as const)),
    )
    const printPart = (part: Readonly<Record<string, AnyParameter>>, what: string): readonly (readonly [name: string, code: string])[] =>
      Object.entries(part)
        .filter(([name]) => !(what === 'header' && name === idempotencyKeyHeader && idempotent !== undefined))
        .map(([name, parameter]) => {
          const code = this.printWritten(`${route}: the ${what} ${name}`, parameter, what === 'header')
          const [outer, inner] = (what === 'query parameter' && nested.get(name)) || []
          return [name, inner === undefined ? code : this.call('member', quote(`${outer}`), quote(inner), code)]
        })
    const captures = printPart(params, 'capture').filter(([, code]) => code !== 'plain')
    const parts = [
      ['params', captures],
      ['query', printPart(query, 'query parameter')],
      ['headers', printPart(headers, 'header')],
    ] as const
    for (const [name, codecs] of parts) if (codecs.length > 0) members.push([name, printObject(codecs)])
    const sent = printPart(cookies, 'cookie')
    if (sent.length > 0) members.push(['cookies', this.call('cookies', printObject(sent))])
    const alternatives = (auth ?? []).filter((requirements) => requirements.length > 0)
    if (alternatives.length > 0) {
      const printAccess = (name: string): string => (isIdentifier(name) ? `auth.${name}` : `auth[${quote(name)}]`)
      const printed = alternatives.map((all) => `[${all.map(({ scheme }) => printAccess(this.nameScheme(scheme))).join(', ')}]`)
      members.push(['auth', this.call('either', ...printed)])
    }
    if (body !== undefined) members.push(['body', this.printContent(`${route}: the body`, body, true)])
    const replies = responses.map((reply) => this.printReply(route, reply))
    members.push(['responses', `[${replies.join(', ')}]`])
    // The client takes the first that fits: a status comes before its range, and this before the default.
    const ordered = errors.toSorted((one, other) => rangeOrder.indexOf(one.range) - rangeOrder.indexOf(other.range))
    if (ordered.length > 0) members.push(['errors', `[${ordered.map((reply) => this.printReply(route, reply)).join(', ')}]`])
    if ([...responses, ...errors].some(({ status }) => /30[12378]/.test(`${status}`))) members.push(['redirect', quote('manual')])
    if (idempotent !== undefined) members.push(['idempotent', this.use('idempotent')])
    return printObject(members)
  }
}

const isWithin = (name: string, selected: string): boolean => name === selected || name.startsWith(`${selected}.`)

/** Prints a group of an API; undefined where the selection leaves all of it out. */
function printGroup(
  printer: RoutePrinter,
  api: Api,
  path: readonly string[],
  isSelected: (name: string) => boolean,
  indent: string,
): string | undefined {
  const lines: string[] = []
  // A group of mounts and webhooks alone is empty, and one whose parts are all left out is not there.
  let isLeftOut = !isSelected(path.join('.'))
  for (const [key, part] of Object.entries(api)) {
    const keys = [...path, key]
    const kind = (part as { readonly '~kind'?: unknown })['~kind']
    if (kind === 'webhook' || (kind !== undefined && isMount(part as AnyEndpoint))) continue
    const code =
      kind !== undefined
        ? isSelected(keys.join('.'))
          ? printer.printEndpoint(part as AnyEndpoint)
          : undefined
        : printGroup(printer, part as Api, keys, isSelected, `${indent}  `)
    if (code === undefined) isLeftOut = true
    else lines.push(`${indent}  ${printKey(key)}: ${code},\n`)
  }
  if (lines.length === 0 && isLeftOut) return undefined
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`
}

const listNames = (api: Api, path: readonly string[] = []): readonly string[] =>
  Object.entries(api).flatMap(([key, part]) => {
    const keys = [...path, key]
    return '~kind' in part ? [keys.join('.')] : [keys.join('.'), ...listNames(part as Api, keys)]
  })

/**
 * Prints the module of routes of an API.
 *
 * @throws CliError for an endpoint whose values the light client cannot read or write, and for a selection of what is not there
 */
export function printLightRoutes(api: Api, { only, except = [] }: RouteSelection = {}): string {
  const names = listNames(api)
  const unknown = [...(only ?? []), ...except].find((name) => !names.includes(name))
  if (unknown !== undefined) throw new CliError(2, messages.unknownEndpointOrGroup(unknown, names))
  const isSelected = (name: string): boolean =>
    (only === undefined || only.some((selected) => isWithin(name, selected))) && !except.some((selected) => isWithin(name, selected))
  const printer = new RoutePrinter()
  const routes = printGroup(printer, api, [], isSelected, '') ?? '{}'
  const schemes = [...printer.schemes].map(([name, scheme]) => `  ${printKey(name)}: ${printer.printScheme(scheme)},\n`)
  const imports = [...printer.imports].sort()
  return [
    '// Written by `lapidary routes --client`. `--check` says whether it is up to date.\n',
    imports.length === 0 ? '' : `import { ${imports.join(', ')} } from 'lapidary/light'\n\n`,
    schemes.length === 0 ? '' : `export const auth = {\n${schemes.join('')}}\n\n`,
    `export const routes = ${routes} as const\n`,
  ].join('')
}
