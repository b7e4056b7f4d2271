/**
 * What a check creates on the server, and how it is deleted at the end. A resource counts as created only if the server says so: a 201, with
 * its URL in Location or its identifier in the body. It is deleted only if it stands directly below the path of its POST, and if the check has
 * not seen it before.
 */
import { percentDecode } from 'lapidary/internal'
import { findIdentifierMember } from '../mock/detectCollections.ts'
import { formatCount } from '../testingMessages.ts'
import type { CheckRun } from './checkRun.ts'
import type { EndpointIndex } from './endpointIndex.ts'
import {
  isWireResponse,
  type Sender,
  type SendRequest,
  type WireRequest,
  type WireResponse,
  withHeaderLines,
  withoutConditions,
} from './exchange.ts'
import type { LeftItems, RuleFailure } from './report.ts'
import { readIdentifier } from './sequences/jsonValues.ts'
import { type CallPool, isConditional } from './sequences/step.ts'
import { signRequest } from './signedRequest.ts'

const formatUnclear = (count: number): string => `${formatCount(count, 'request')} succeeded without a 201 that says what is new`

/** How long the deletion may take, in milliseconds. */
const maxMilliseconds = 30_000

/** Methods whose success shows that something is there. OPTIONS succeeds anywhere, and PUT creates. */
const showingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PATCH'])

const getPath = (target: string): string => target.replace(/[?#].*$/s, '')

/** The same text for all spellings of a path: with another percent-encoding, or a slash at its end. */
const toPathKey = (path: string): string =>
  path
    .replace(/\/$/, '')
    .split('/')
    .map((segment) => encodeURIComponent(percentDecode(segment) ?? segment))
    .join('/')

/** Whether a path is that of an item of a collection. What normalizes paths would make another one of `..`. */
function isItemOf(collection: string, path: string): boolean {
  const [base, key] = [`${toPathKey(collection)}/`, toPathKey(path)]
  const id = key.startsWith(base) ? key.slice(base.length) : ''
  return !['', '.', '..'].includes(id) && !id.includes('/')
}

/** The path of a collection: that of an item without its last segment. */
const getCollection = (path: string): string => path.replace(/\/[^/]*\/?$/, '') || '/'

/** The resources that a check has created, by their paths. */
export class CreatedItems {
  readonly #index: EndpointIndex
  /** By their keys. */
  readonly #paths = new Map<string, string>()
  /** The keys of paths that were there before the check created something at them. */
  readonly #earlier = new Set<string>()
  /** The routes whose paths lead to what was created: something new was found there. */
  readonly #foundRoutes = new Set<string>()
  /** The keys of what was deleted. */
  readonly #deleted = new Set<string>()
  /** What a POST says it has created anywhere else. */
  readonly #elsewhere = new Set<string>()

  /** How many POSTs of a route have succeeded without saying what is new. */
  readonly #unclear = new Map<string, number>()

  constructor(index: EndpointIndex) {
    this.#index = index
  }

  /** The path of the resource that a response says is new. */
  #findNew({ method, target }: WireRequest, response: WireResponse): string | undefined {
    if (response.status !== 201) return undefined
    const own = getPath(target)
    if (method === 'PUT') return own
    if (method !== 'POST') return undefined
    const location = response.header('location')
    if (location !== undefined) {
      const path = this.#index.toPath(this.#index.resolveLocation(location, target))
      // The collection, or what it is in, is not new.
      return path === undefined || `${toPathKey(own)}/`.startsWith(`${toPathKey(path)}/`) ? undefined : path
    }
    const item = this.#index.findAt('GET', `${own}/x`) ?? this.#index.findAt('DELETE', `${own}/x`)
    const last = item?.endpoint.segments.at(-1)
    const schema = item?.endpoint.response.content?.schema
    if (item === undefined || last === undefined || !('capture' in last)) return undefined
    const name = schema === undefined ? 'id' : findIdentifierMember(schema, item.endpoint.segments, last.capture)
    const id = readIdentifier(response, name)
    return id === undefined ? undefined : `${own}/${encodeURIComponent(id)}`
  }

  /** The route of a path. A server may tell a slash at its end apart. */
  #toRoute(path: string): string {
    return `${this.#index.findAt('DELETE', path)?.name}${path.endsWith('/') ? '/' : ''}`
  }

  /** Looks at an exchange: what it creates, what it deletes, and what it shows to be there. */
  observe(request: WireRequest, response: WireResponse): void {
    const path = getPath(request.target)
    const isSuccess = response.status >= 200 && response.status < 300
    const key = toPathKey(path)
    const isNew = this.#paths.has(key)
    if (isSuccess && isNew) this.#foundRoutes.add(this.#toRoute(path))
    if (isSuccess && request.method === 'DELETE') {
      this.#paths.delete(key)
      this.#deleted.add(key)
    }
    if (isSuccess && !isNew && showingMethods.has(request.method)) this.#earlier.add(key)
    const created = this.#findNew(request, response)
    if (created !== undefined && request.method === 'POST' && !isItemOf(path, created)) this.#elsewhere.add(created)
    else if (created !== undefined && !this.#earlier.has(toPathKey(created))) this.#paths.set(toPathKey(created), created)
    const route =
      isSuccess && request.method === 'POST' && created === undefined ? this.#index.findAt('POST', path)?.endpoint.route : undefined
    if (route !== undefined) this.#unclear.set(route, (this.#unclear.get(route) ?? 0) + 1)
  }

  /**
   * Deletes what was created, the latest first, where the description has a DELETE.
   *
   * @param isNeeded whether a reported request is about a path, so that it stays
   * @returns what is left
   */
  async deleteAll(run: CheckRun, pool: CallPool, send: SendRequest, isNeeded: (path: string) => boolean): Promise<readonly LeftItems[]> {
    const left = new Map<string, LeftItems>()
    const deadline = performance.now() + maxMilliseconds
    for (const path of [...this.#elsewhere, ...[...this.#paths.values()].toReversed()]) {
      const reason = this.#elsewhere.has(path)
        ? 'it is not below the path of its POST'
        : isNeeded(path)
          ? 'a reported request is about it'
          : performance.now() > deadline
            ? 'there was no time left to delete it'
            : await this.#deleteOne(run, pool, send, path)
      if (reason === '') continue
      const collection = getCollection(path)
      const group = left.get(`${collection} ${reason}`) ?? { collection, items: [], reason }
      group.items.push(path)
      left.set(`${collection} ${reason}`, group)
    }
    const unclear = [...this.#unclear].map(([route, count]): LeftItems => ({ collection: route, items: [], reason: formatUnclear(count) }))
    return [...left.values(), ...unclear]
  }

  /** Deletes a resource. @returns why it is still there; empty if it is gone */
  async #deleteOne(run: CheckRun, pool: CallPool, send: SendRequest, path: string): Promise<string> {
    const subject = this.#index.findAt('DELETE', path)
    if (subject === undefined) return 'the description has no DELETE for it'
    if (!run.isAuthorized(subject)) return 'no credentials were given for its DELETE'
    const [call] = pool.list(subject)
    if (call === undefined) return 'no request was found for its DELETE'
    const built = withoutConditions(await run.buildRequest(subject, call))
    const request = { ...built, target: path + (/\?.*$/s.exec(built.target)?.[0] ?? '') }
    const tag = isConditional(subject) ? await this.#findTag(run, pool, send, path) : undefined
    const response = await send(signRequest(tag === undefined ? request : withHeaderLines(request, 'If-Match', tag)))
    if (!isWireResponse(response)) return `its DELETE gets no response: ${response.reason}`
    const isGone = (response.status >= 200 && response.status < 300) || response.status === 410
    if (isGone || (response.status === 404 && this.#leadsToNew(path))) return ''
    return `its DELETE gets ${response.status}${response.status === 404 ? ', and nothing was found at such a path' : ''}`
  }

  /** Whether 404 shows that a new resource is gone, perhaps with the one above it. Otherwise it may be at another path. */
  #leadsToNew(path: string): boolean {
    const key = toPathKey(path)
    return this.#foundRoutes.has(this.#toRoute(path)) || [...this.#deleted].some((other) => key.startsWith(`${other}/`))
  }

  /** The ETag of a resource; any representation where a GET shows none. */
  async #findTag(run: CheckRun, pool: CallPool, send: SendRequest, path: string): Promise<string> {
    const subject = this.#index.findAt('GET', path)
    const [call] = subject === undefined ? [] : pool.list(subject)
    if (subject === undefined || call === undefined) return '*'
    const request = withoutConditions(await run.buildRequest(subject, call))
    const response = await send(signRequest({ ...request, target: path }))
    return (isWireResponse(response) ? response.header('etag') : undefined) ?? '*'
  }
}

/** Returns a sender whose exchanges are looked at for what they create. */
export const observeSender = ({ send, close }: Sender, created: CreatedItems): Sender => ({
  close,
  send: async (request, streams) => {
    const response = await send(request, streams)
    if (isWireResponse(response)) created.observe(request, response)
    return response
  },
})

/** Whether a reported request is about a path, or about something below it. */
export const isReported = (failures: readonly RuleFailure[], base: URL, path: string): boolean => {
  const url = base.href.replace(/\/+$/, '') + path
  return failures.some(({ curl }) => ["'", '?', '/'].some((end) => curl?.includes(`'${url}${end}`)))
}
