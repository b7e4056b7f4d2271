/** What a source has of imprecise words. */
export interface ImpreciseWords {
  /** The identifiers that have one, each as many times as it occurs. */
  readonly identifiers: readonly string[]
  /** The words of comments, each as many times as it occurs. */
  readonly comments: readonly string[]
}

/** Finds the imprecise words of a source in JavaScript or TypeScript. */
export function findImpreciseWords(source: string): ImpreciseWords

/** Lists the checked files, with the folder that each belongs to. Both paths start at the root of the repository. */
export function listCheckedFiles(): readonly { readonly folder: string; readonly path: string }[]
