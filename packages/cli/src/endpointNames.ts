/** The names of endpoints and groups that a command takes: those of the API, and the operationIds of a document. */
import { type Api, operations } from 'lapidary'
import * as messages from './cliMessages.ts'
import { CliError } from './context.ts'
import type { Description } from './description.ts'

/** What names are looked up in. */
export type NamedApi = Pick<Description, 'api' | 'operationIds'>

/** The groups that a name is in: `users` and `users.roles` of `users.roles.list`. */
const listGroups = (name: string): readonly string[] => {
  const keys = name.split('.')
  return keys.slice(0, -1).map((_, index) => keys.slice(0, index + 1).join('.'))
}

/** Lists the names of all endpoints and groups. */
const listEndpointNames = (api: Api): readonly string[] => [...new Set(operations(api).flatMap(({ name }) => [name, ...listGroups(name)]))]

/** Returns the name of the endpoint with an operationId. A name of the API comes first; a word that is neither is returned as it is. */
export function toEndpointName(word: string, { api, operationIds }: NamedApi): string {
  return listEndpointNames(api).includes(word) ? word : (operationIds.get(word) ?? word)
}

/**
 * Returns the names of endpoints and groups that the words of a flag stand for.
 *
 * @throws CliError for a word that is neither a name nor an operationId
 */
export function resolveEndpointNames(words: readonly string[], named: NamedApi): readonly string[] {
  const known = listEndpointNames(named.api)
  return words.map((word) => {
    const name = toEndpointName(word, named)
    if (!known.includes(name)) throw new CliError(2, messages.unknownEndpointOrGroup(word, [...known, ...named.operationIds.keys()]))
    return name
  })
}
