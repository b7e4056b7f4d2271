/** What `scripts/pages.mjs` builds from `src/browser` and Swagger UI. */

/** A file of the page. */
export interface Asset {
  /** With a digest of the content: `page-1f0c9a2b7d3e4f56.js`. A name never gets another content. */
  readonly name: string
  readonly type: string
  /** The content, compressed by gzip, in base64. */
  readonly gzip: string
}

export const script: Asset
export const style: Asset
/** Of the page to which an OAuth 2.0 server sends the user back. */
export const redirectScript: Asset
/** The licenses of the libraries in the script. */
export const licenses: Asset
