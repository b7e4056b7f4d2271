/** Finds the endpoint of a call: by its name, by its route, or by a method and a path. */
import { type AnyEndpoint, type Api, operations } from 'lapidary'
import {
  createCaptureReader,
  createQueryReader,
  getApiIndex,
  isMount,
  isReadError,
  joinValues,
  type ParameterValues,
  percentDecode,
  type ReadResult,
  toInputParameter,
  toWireApi,
} from 'lapidary/internal'
import * as messages from '../cliMessages.ts'
import { CliError } from '../context.ts'
import { type NamedApi, toEndpointName } from '../endpointNames.ts'

/** An endpoint, and the values that the given path contains. */
export interface CallTarget {
  readonly name: string
  readonly endpoint: AnyEndpoint
  /** The method of the endpoint, or HEAD for GET. */
  readonly method: string
  readonly values: { readonly params?: ParameterValues; readonly query?: ParameterValues }
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

function findByName(api: Api, wanted: string, operationIds: NamedApi['operationIds']): CallTarget {
  const targets = operations(api).flatMap(({ name, operation }) =>
    isMount(operation) ? [] : [{ name, endpoint: operation, method: operation.method, values: {} }],
  )
  const own = toEndpointName(wanted, { api, operationIds })
  const found = targets.find(({ name, endpoint }) => name === own || endpoint.route === wanted)
  if (found !== undefined) return found
  throw new CliError(2, messages.unknownEndpoint(wanted, [...targets.map(({ name }) => name), ...operationIds.keys()]))
}

function requireValues(result: ReadResult): ParameterValues {
  if (!isReadError(result)) return result
  throw new CliError(2, result.map(({ in: place, name, detail }) => `${place} ${name}: ${detail}`).join('\n'))
}

function findByPath(api: Api, method: string, target: string): CallTarget {
  const [path = '', search] = target.split(/\?(.*)/s, 2)
  const found = getApiIndex(api).paths.find(path)
  if (found === undefined || percentDecode(path) === undefined) throw new CliError(2, messages.unknownRoute(method, path))
  const { captures, leaf } = found
  const entry = leaf.entries.get(method === 'HEAD' ? 'GET' : method)
  if (entry === undefined) throw new CliError(2, messages.methodNotOffered(method, path, [...leaf.entries.keys()]))
  const { name, endpoint } = entry
  const undeclared = [...new URLSearchParams(search).keys()].find((key) => !Object.hasOwn(endpoint.query, key))
  if (undeclared !== undefined)
    throw new CliError(2, messages.unknownQueryParameter(endpoint.route, undeclared, Object.keys(endpoint.query)))
  requireValues(entry.readCaptures(captures))
  const { parameterGroups } = endpoint
  const readCaptures = createCaptureReader(mapValues(endpoint.params, toInputParameter))
  const params = joinValues(parameterGroups.params, requireValues(readCaptures(captures)))
  if (search === undefined) return { name, endpoint, method, values: { params } }
  requireValues(entry.readQuery(search))
  const readQuery = createQueryReader(mapValues(endpoint.query, toInputParameter))
  return { name, endpoint, method, values: { params, query: joinValues(parameterGroups.query, requireValues(readQuery(search))) } }
}

/** Finds the endpoint for `name`, `operationId`, `METHOD /path/:capture` or `METHOD /path?query`. @throws CliError if there is none */
export function findTarget({ api, operationIds }: NamedApi, [first = '', path]: readonly string[]): CallTarget {
  // The command line has texts, and a call of it sends them as they are.
  const wireApi = toWireApi(api)
  if (path === undefined) return findByName(wireApi, first, operationIds)
  return /\/[:*]/.test(path)
    ? findByName(wireApi, `${first.toUpperCase()} ${path}`, operationIds)
    : findByPath(wireApi, first.toUpperCase(), path)
}
