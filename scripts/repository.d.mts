/** The members of a manifest that say where its package is developed. */
export interface RepositoryFields {
  readonly repository: { readonly type: 'git'; readonly url: string; readonly directory: string }
  readonly homepage: string
  readonly bugs: { readonly url: string }
}

/** @throws TypeError when `url` is not the https address of one repository */
export function createRepositoryFields(url: string | undefined, directory: string): RepositoryFields

/** The text of a manifest with these members behind its license. Everything else stays. */
export function addRepositoryFields(manifest: string, url: string | undefined, directory: string): string
