/** The manifest of a folder, as its text. */
export function readManifestText(folder: string): string

/** The folders of all packages but the root, with `/`. */
export function listWorkspaceFolders(): readonly string[]

/** The folders of the packages that are published. */
export function listPublishedFolders(): readonly string[]

/** The sources of what others import of a package, without the entry points for the other packages here. */
export function listEntrySources(folder: string): readonly string[]
