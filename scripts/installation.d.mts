/** Compares the installed packages of a folder with its lock file. */
export declare function checkInstallation(folder: string, options?: { readonly omitsDev?: boolean }): 'complete' | 'partial' | 'different'
