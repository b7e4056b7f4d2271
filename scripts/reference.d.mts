/** The reference, from the declarations that tsc has emitted. */
export interface Reference {
  /** The text of each page by its path from the root of the repository. */
  readonly pages: ReadonlyMap<string, string>
  /** The names that have no docstring. */
  readonly silent: readonly string[]
}

export function reference(): Reference

/** Writes the pages, and removes what is none of them from their folder. */
export function writeReference(): void
