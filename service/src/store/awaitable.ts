/** Working on values that may still be to come: a database in the same process makes no promises. */

import type { Awaitable } from './store.ts'

/** What `map` makes of the value: now when it is there, later when it is not. */
export const mapped = <Value, Result>(value: Awaitable<Value>, map: (value: Value) => Result): Awaitable<Result> =>
  value instanceof Promise ? value.then(map) : map(value)
