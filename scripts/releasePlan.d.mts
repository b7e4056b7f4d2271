/** The versions of a package in the registry, and its dist-tags. @throws Error that names the URL, for a registry that does not answer in `timeout` ms */
export function readRegistry(
  registry: string,
  name: string,
  timeout?: number,
): Promise<{ readonly versions: readonly string[]; readonly tags: { readonly latest?: string } }>

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
