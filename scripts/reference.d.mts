/** The reference, from the declarations that tsc has emitted. */
export interface Reference {
  /** The text of each page by its file name. */
  readonly pages: ReadonlyMap<string, string>
  /** What can be imported, and the page about it. */
  readonly entryPoints: readonly { readonly specifier: string; readonly file: string; readonly summary: string }[]
  /** The names that have no docstring. */
  readonly undocumented: readonly string[]
}

export function generateReference(): Reference

/** A docstring as Markdown. */
export function formatDoc(doc: string): string

/** Writes the pages into a folder, in the place of the pages that are there. */
export function writeReference(folder: string): void
