/** Types of packages that have none, or that are not installed where the service is built. */

/** A development dependency. */
declare module 'color-name-list' {
  /** `hex` is `#rrggbb`. */
  export const colornames: readonly { readonly name: string; readonly hex: string }[]
}
