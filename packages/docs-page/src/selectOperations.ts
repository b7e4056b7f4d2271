/** The part of an API that its documentation shows. */
import { type Api, type NamedOperation, operations } from 'lapidary'

/** Returns the API without the operations that `include` leaves out. Webhooks stay. */
export function selectOperations(api: Api, include: (operation: NamedOperation) => boolean): Api {
  const excluded = new Set(
    operations(api)
      .filter((named) => !include(named))
      .map(({ name }) => name),
  )
  const select = (part: Api, path: readonly string[]): Api =>
    Object.fromEntries(
      Object.entries(part).flatMap(([key, value]): readonly (readonly [string, Api[string]])[] => {
        const keys = [...path, key]
        if (typeof value['~kind'] !== 'string') return [[key, select(value as Api, keys)]]
        return excluded.has(keys.join('.')) ? [] : [[key, value]]
      }),
    )
  return select(api, [])
}
