/** `fromOpenApi(document)`: the API of an OpenAPI document. */
import { type Api, operations } from 'lapidary'
import { isJsonObject, listWebhooks, setConventions } from 'lapidary/internal'
import { AuthReader } from './auth.ts'
import { BodyReader } from './bodies.ts'
import { createEndpoint, createWebhook, omitBuiltInErrors } from './createApi.ts'
import { DocumentReader, type JsonObject, type Part } from './document.ts'
import type { EndpointPlan } from './endpointPlan.ts'
import { type Limit, type LimitKind, LimitList } from './limits.ts'
import { createMount, type MountPlan, planMounts } from './mounts.ts'
import { EndpointNames, nest } from './names.ts'
import { OperationReader, type PartReaders } from './operations.ts'
import { OwnProblems } from './ownProblems.ts'
import { ParameterReader } from './parameters.ts'
import { ResponseReader } from './responses.ts'
import { DocumentSchemas } from './schemas.ts'
import { upgradeDocument } from './upgrade.ts'
import { planWebhooks, type WebhookPlan } from './webhooks.ts'

/** A server of an API. */
export interface ServerDescription {
  /** With the defaults of its variables. It may be relative to the document: `/v1`. */
  readonly url: string
  readonly description?: string
}

/** What `fromOpenApi` makes of a document. */
export interface ImportedApi {
  readonly api: Api
  /** What the document says and the API does not, in the order of the document. */
  readonly limits: readonly Limit[]
  readonly title: string
  /** The version of the API, not of OpenAPI. */
  readonly version: string
  readonly description: string | undefined
  readonly servers: readonly ServerDescription[]
  /**
   * Whether `openapi` of the toolkit has written the document. The document of any other program promises no conventions of the toolkit, such
   * as problem details: `openapi`, `outline` and `markdown` then say only what it says.
   */
  readonly conventions: boolean
  /** The name of the endpoint of each operationId: `repos.get` of `repos/get`. Of two operations with one id, the first has it. */
  readonly operationIds: ReadonlyMap<string, string>
}

/** The plans of a document. */
export interface DocumentPlan extends Omit<ImportedApi, 'api' | 'limits' | 'conventions' | 'operationIds'> {
  readonly endpoints: readonly EndpointPlan[]
  readonly mounts: readonly MountPlan[]
  readonly webhooks: readonly WebhookPlan[]
  readonly auth: AuthReader
  /** The Security Scheme Objects, by their names. */
  readonly securitySchemes: JsonObject
  readonly limits: LimitList
  /** Whether the toolkit has written the document. */
  readonly isOwn: boolean
}

/** A part of an API, the keys that lead to it, and its plan. */
export type CreatedPart = { readonly keys: readonly string[]; readonly part: Api[string] } & (
  | { readonly kind: 'endpoint'; readonly plan: EndpointPlan }
  | { readonly kind: 'mount'; readonly plan: MountPlan }
  | { readonly kind: 'webhook'; readonly plan: WebhookPlan }
)

function listServers(reader: DocumentReader, root: Part): readonly ServerDescription[] {
  return reader.list(root, 'servers').flatMap((part) => {
    const server = reader.toObject(part)
    const url = server && reader.text(server, 'url')
    if (server === undefined || url === undefined) return []
    const { variables } = server.value
    const description = reader.text(server, 'description')
    const values = isJsonObject(variables) ? variables : {}
    const filled = url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = values[name]
      return isJsonObject(variable) && variable['default'] !== undefined ? String(variable['default']) : whole
    })
    return [{ url: filled, ...(description !== undefined && { description }) }]
  })
}

/** The version of an API. YAML makes a number of `1.0`. */
function readVersion(reader: DocumentReader, info: Part): string {
  const version = isJsonObject(info.value) ? info.value['version'] : undefined
  return typeof version === 'number' ? String(version) : (reader.text(info, 'version') ?? '')
}

/** Plans a document. @throws TypeError for a value that is no OpenAPI document */
export function planDocument(document: unknown): DocumentPlan {
  const limits = new LimitList()
  const root = upgradeDocument(document)
  const reader = new DocumentReader(root, limits)
  const schemas = new DocumentSchemas(reader)
  const parameters = new ParameterReader(reader, schemas)
  const problems = new OwnProblems(reader, schemas)
  const bodies = new BodyReader(reader, schemas, problems.isOwn)
  const responses = new ResponseReader(reader, bodies, parameters, problems)
  const readers: PartReaders = { reader, parameters, bodies, problems, responses, auth: new AuthReader(reader) }
  const names = new EndpointNames()
  const endpoints = new OperationReader(readers, names).all()
  const mounts = planMounts(root, names)
  const keys = new Set(endpoints.map((plan) => plan.keys[0]))
  const group = ['webhooks', 'hooks', 'sentWebhooks'].find((key) => !keys.has(key)) ?? 'webhooksOfDocument'
  const whole: Part = { value: root, pointer: '' }
  const info: Part = reader.object(whole, 'info') ?? { value: {}, pointer: '/info' }
  return {
    endpoints,
    mounts,
    webhooks: planWebhooks(readers, group),
    auth: readers.auth,
    securitySchemes: (reader.at('/components/securitySchemes').value ?? {}) as JsonObject,
    limits,
    isOwn: problems.isOwn,
    title: reader.text(info, 'title') ?? 'API',
    version: readVersion(reader, info),
    description: reader.text(info, 'description'),
    servers: listServers(reader, whole),
  }
}

/** The names of the endpoints, by their operationIds. */
function listOperationIds(parts: readonly CreatedPart[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const part of parts) {
    const id = part.kind === 'endpoint' ? part.plan.operationId : undefined
    if (id !== undefined && !names.has(id)) names.set(id, part.keys.join('.'))
  }
  return names
}

/** The parts of the API of a plan. What no API can have is left out, and a limit. */
export function createParts({ endpoints, mounts, webhooks, auth, isOwn, limits }: DocumentPlan): readonly CreatedPart[] {
  const create = (kind: LimitKind, pointer: string, make: () => CreatedPart): readonly CreatedPart[] => {
    try {
      const created = make()
      // An API checks the schemas of bodies when it is used.
      operations({ part: created.part })
      listWebhooks({ part: created.part })
      return [created]
    } catch (error) {
      limits.add(kind, pointer, `It is left out: ${(error as Error).message}`)
      return []
    }
  }
  return [
    ...endpoints.flatMap((given) =>
      create('endpoint', given.pointer, () => {
        const plan = isOwn ? omitBuiltInErrors(given, auth) : given
        return { kind: 'endpoint', keys: plan.keys, plan, part: setConventions(createEndpoint(plan, auth), isOwn) }
      }),
    ),
    ...mounts.flatMap((plan) => create('path', '/x-mounts', () => ({ kind: 'mount', keys: plan.keys, plan, part: createMount(plan) }))),
    ...webhooks.flatMap((plan) =>
      create('webhook', plan.pointer, () => ({ kind: 'webhook', keys: plan.keys, plan, part: setConventions(createWebhook(plan), isOwn) })),
    ),
  ]
}

/**
 * Makes an API of an OpenAPI document: `checkServer`, `mock`, `diff`, `manifest`, `openapi`, `client` and `serve` take it like one that is
 * written. Its names are the `operationId`s of the document: `repos/get` is `api.repos.get`.
 *
 * @param document OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, as `JSON.parse` returns it. `readOpenApi` reads a file with the files that it
 *   refers to.
 * @returns the API, the names of its endpoints by their operationIds, and what the document says that an API does not: each with its place, and
 *   with what the API says instead
 * @throws TypeError for a value that is no OpenAPI document
 * @example
 * ```ts
 * import { fromOpenApi } from '@lapidary/openapi'
 * import { manifest } from '@lapidary/testing'
 *
 * const { api, limits } = fromOpenApi({
 *   openapi: '3.1.0',
 *   info: { title: 'Stones', version: '1' },
 *   paths: { '/stones/{id}': { get: { operationId: 'stone', responses: { 204: { description: 'It is there.' } } } } },
 * })
 * console.log(Object.keys(manifest(api).endpoints), limits)
 * ```
 */
export function fromOpenApi(document: unknown): ImportedApi {
  const plan = planDocument(document)
  const parts = createParts(plan)
  const { title, version, description, servers, isOwn: conventions, limits } = plan
  const api = nest(parts.map(({ keys, part }) => [keys, part])) as Api
  return { api, limits: limits.list(), title, version, description, servers, conventions, operationIds: listOperationIds(parts) }
}
