/** The operations of a document as plans of endpoints. A plan says all that an endpoint is made of, and is written down by `lapidary import`. */
import { getPathShape, isJsonObject, isPortableMethod, parsePath } from 'lapidary/internal'
import type { AuthPlan, AuthReader } from './auth.ts'
import type { BodyReader } from './bodies.ts'
import type { DocumentReader, JsonObject, Part } from './document.ts'
import type { EndpointPlan } from './endpointPlan.ts'
import type { EndpointNames } from './names.ts'
import type { OwnProblems } from './ownProblems.ts'
import type { ParameterPlace, ParameterPlan, ParameterReader } from './parameters.ts'
import { type PathPlan, planPath } from './paths.ts'
import type { ResponseReader } from './responses.ts'
import { restoreWords } from './restoreWords.ts'

const usualMethods = ['get', 'put', 'post', 'patch', 'delete', 'query']
const ownMethods = ['head', 'options', 'trace']

/** An operation, and where it stands. */
interface FoundOperation {
  readonly method: string
  readonly operation: Part<JsonObject>
  readonly pathItem: Part<JsonObject>
}

/** The readers of the parts of one document. */
export interface PartReaders {
  readonly reader: DocumentReader
  readonly auth: AuthReader
  readonly parameters: ParameterReader
  readonly bodies: BodyReader
  readonly responses: ResponseReader
  readonly problems: OwnProblems
}

/** The operations of a path, in the order of the document. */
export function listOperations(reader: DocumentReader, pathItem: Part<JsonObject>): readonly FoundOperation[] {
  const found: FoundOperation[] = []
  const add = (method: string, operation: Part): void => {
    const object = reader.toObject(operation)
    if (object !== undefined) found.push({ method, operation: object, pathItem })
  }
  for (const [key, operation] of reader.entries(pathItem)) {
    if (usualMethods.includes(key)) add(key.toUpperCase(), operation)
    if (ownMethods.includes(key))
      reader.limits.add('method', operation.pointer, `The server answers ${key.toUpperCase()} itself. It is left out.`)
  }
  for (const key of ['additionalOperations', 'x-additionalOperations']) {
    for (const [method, operation] of reader.entries(reader.object(pathItem, key))) {
      if (isPortableMethod(method)) add(method, operation)
      else reader.limits.add('method', operation.pointer, `Not every platform passes the method ${method} on. It is left out.`)
    }
  }
  return found
}

/** Plans the operations of one document. */
export class OperationReader {
  private readonly readers: PartReaders
  private readonly names: EndpointNames
  private readonly routes = new Set<string>()

  constructor(readers: PartReaders, names: EndpointNames) {
    this.readers = readers
    this.names = names
  }

  all(): readonly EndpointPlan[] {
    const { reader, problems } = this.readers
    // OpenAPI 3.1 made the paths optional.
    if (reader.root['paths'] === undefined && reader.dialect === '3.0') reader.leaveOut(reader.at('/paths'), 'an object')
    const paths = reader.object({ value: reader.root, pointer: '' }, 'paths')
    return reader.objects(paths).flatMap(([path, pathItem]) => {
      if (path.startsWith('x-')) return []
      const plan = planPath(path, pathItem.pointer, reader)
      if (plan === undefined) return []
      this.noteServers(pathItem)
      const plans = listOperations(reader, pathItem).flatMap((found) => this.plan(found, path, plan) ?? [])
      return problems.isOwn ? plans.map(restoreWords) : plans
    })
  }

  private noteServers(part: Part): void {
    if (isJsonObject(part.value) && Array.isArray(part.value['servers']))
      this.readers.reader.limits.add(
        'server',
        `${part.pointer}/servers`,
        'An API has one server for all operations. These servers are left out.',
      )
  }

  private plan(
    { method, operation, pathItem }: FoundOperation,
    path: string,
    { path: route, captures }: PathPlan,
  ): EndpointPlan | undefined {
    const { reader, auth, responses } = this.readers
    const { pointer, value } = operation
    const shape = `${method} ${getPathShape(parsePath(route) ?? [])}`
    if (this.routes.has(shape)) {
      reader.limits.add(
        'endpoint',
        pointer,
        'Another operation has the same method and path; a slash at the end makes no other one. This one is left out.',
      )
      return undefined
    }
    this.routes.add(shape)
    this.noteServers(operation)
    const tags = reader.texts(operation, 'tags')
    const operationId = reader.text(operation, 'operationId')
    const keys = this.names.of({ id: operationId, tag: tags[0], method, path })
    const security = auth.plan(operation)
    const parameters = this.planParameters(pathItem, operation, security)
    for (const [name, callback] of reader.entries(reader.object(operation, 'callbacks')))
      reader.limits.add('callback', callback.pointer, `The callback "${name}" is left out: declare it as a webhook.`)
    const byName = new Map(parameters.path.map((one) => [one.name, one]))
    return {
      pointer,
      keys,
      operationId,
      method,
      path: route,
      params: [...captures].flatMap(([name, capture]) => {
        const declared = byName.get(name)
        return declared === undefined ? [] : [{ ...declared, name: capture }]
      }),
      query: parameters.query,
      headers: parameters.header,
      cookies: parameters.cookie,
      auth: security,
      ...this.planBody(method, operation),
      ...responses.plan(operation),
      isDeprecated: value['deprecated'] === true,
      tags: tags.length > 0 ? tags : undefined,
      summary: reader.text(operation, 'summary'),
      description: reader.text(operation, 'description'),
    }
  }

  private planParameters(pathItem: Part, operation: Part, security: AuthPlan): Record<ParameterPlace, readonly ParameterPlan[]> {
    const { reader, auth, parameters } = this.readers
    const plans: Record<ParameterPlace, ParameterPlan[]> = { path: [], query: [], header: [], cookie: [] }
    for (const part of parameters.all(pathItem, operation)) {
      const place = String(part.value['in'])
      if (!Object.hasOwn(plans, place)) {
        reader.limits.add(
          'parameter-form',
          part.pointer,
          `A parameter stands in the path, the query, a header or a cookie, and not in ${JSON.stringify(place)}. It is left out.`,
        )
        continue
      }
      const all = plans[place as ParameterPlace]
      for (const plan of parameters.plan(part, place as ParameterPlace)) {
        // Credentials are declared once, by their scheme.
        if (auth.isCredential(security, place, plan.name)) continue
        const isSame = (name: string): boolean => (place === 'header' ? name.toLowerCase() === plan.name.toLowerCase() : name === plan.name)
        if (all.some(({ name }) => isSame(name)))
          reader.limits.add('parameter-name', part.pointer, `Another parameter has the name "${plan.name}". This one is left out.`)
        else all.push(plan)
      }
    }
    return plans
  }

  private planBody(method: string, operation: Part): Pick<EndpointPlan, 'body' | 'isBodyOptional'> {
    const { reader, bodies } = this.readers
    const request = reader.object(operation, 'requestBody')
    if (request === undefined) return { body: undefined, isBodyOptional: false }
    if (method === 'GET') {
      reader.limits.add('get-body', request.pointer, 'A GET has no body (RFC 9110 §9.3.1). It is left out.')
      return { body: undefined, isBodyOptional: false }
    }
    const body = bodies.plan(reader.object(request, 'content'), 'request')
    const isForm = body?.media.some(({ kind }) => kind === 'multipart' || kind === 'ndjson')
    if (isForm && request.value['required'] !== true) {
      const message = 'A request need not have this body. It is read as required: a form with files, and a stream, is always there.'
      reader.limits.add('optional-form', `${request.pointer}/required`, message)
      return { body, isBodyOptional: false }
    }
    return { body, isBodyOptional: body !== undefined && request.value['required'] !== true }
  }
}
