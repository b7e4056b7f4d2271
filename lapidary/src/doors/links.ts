/** The public door of links. */
export { type LinkInput, link } from '../links/link.ts'
