/** The flags of an endpoint: one for each capture, query parameter and header. */
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import type { AnyParameter } from '../../describe/parameter.ts'
import { isParseErrorLike } from './refused.ts'

/** Where in a request a value stands. */
export type RequestPart = 'params' | 'query' | 'headers'

/** A flag, and what it is for. */
export interface CallFlag {
  /** Without its hyphens: `x-depth`. */
  readonly flag: string
  readonly part: RequestPart
  readonly name: string
  readonly parameter: AnyParameter
  /** Whether it takes no value: that it is there says it all. */
  readonly isSwitch: boolean
}

/** `userId`, `user_id` and `User-Id` are all `user-id`. */
const toKebabCase = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1-')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()

/** What a part is called in front of a name that is not clear by itself. */
const partPrefixes: Readonly<Record<RequestPart, string>> = { params: 'path', query: 'query', headers: 'header' }

/** Its name alone has a meaning, and is written without a value. */
function isSwitchParameter(parameter: AnyParameter): boolean {
  const alone: unknown = parameter.read({ values: [], isPresent: true })
  return alone !== undefined && !isParseErrorLike(alone) && parameter.write(alone).join('\n') === '' && parameter.write(alone).length === 1
}

/**
 * The flags of an endpoint. A name that stands for two things, or for one of the `taken` flags, says which part it is of: `--query-range` and
 * `--header-range`.
 */
export function listFlags(endpoint: AnyEndpoint, taken: readonly string[]): readonly CallFlag[] {
  const parts: readonly RequestPart[] = ['params', 'query', 'headers']
  const named = parts.flatMap((part) =>
    Object.entries<AnyParameter>(endpoint[part]).map(([name, parameter]) => ({ part, name, parameter, short: toKebabCase(name) })),
  )
  const used = new Set(taken)
  return named.map(({ part, name, parameter, short }) => {
    // Commander takes `--no-cache` for the opposite of `--cache`.
    const isClear =
      short !== '' && !short.startsWith('no-') && !taken.includes(short) && named.filter((other) => other.short === short).length === 1
    let flag = isClear ? short : [partPrefixes[part], short].filter((word) => word !== '').join('-')
    while (used.has(flag)) flag += '-2'
    used.add(flag)
    return { flag, part, name, parameter, isSwitch: isSwitchParameter(parameter) }
  })
}
