/** `@lapidary/docs-page`: the documentation of an API as a page. */
export { type DocumentationPageOptions, documentationPage } from './documentationPage.ts'
export type { OAuth2Client } from './pageHtml.ts'
