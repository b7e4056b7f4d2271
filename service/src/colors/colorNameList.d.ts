/** The package is there for development only, and what serves is built without it. */
declare module 'color-name-list' {
  /** `hex` is `#rrggbb`. */
  export const colornames: readonly { readonly name: string; readonly hex: string }[]
}
