/** The manifest of a folder, as its text. */
export function manifestText(folder: string): string

/** The folders of all packages but the root, with `/`. */
export function workspaceFolders(): readonly string[]

/** The folders of the packages that are published. */
export function publishedFolders(): readonly string[]
