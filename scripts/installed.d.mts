/** How what is installed in a folder stands to its lock file. */
export declare function installed(folder: string, options?: { readonly omitsDev?: boolean }): 'complete' | 'partial' | 'different'
