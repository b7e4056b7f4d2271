/** The dist-tag of a version, where `latest` is the version that has the tag now. */
export function chooseTag(version: string, latest?: string): string

/** What the registry has of a package. */
export interface PackageState {
  readonly name: string
  readonly version: string
  readonly latest?: string
  readonly isPublished: boolean
  readonly isSame?: boolean
}

/** What to publish, in order. @throws Error when the release would mix two states of the sources */
export function planRelease<Package extends PackageState>(packages: readonly Package[]): readonly (Package & { readonly tag: string })[]
