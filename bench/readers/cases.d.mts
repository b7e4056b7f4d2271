/** What stands in `cases.mjs`, for the test that goes through it. */
export declare const cases: readonly (readonly [
  reader: string,
  what: string,
  input: (length: number) => unknown,
  read: (input: unknown) => unknown,
])[]
