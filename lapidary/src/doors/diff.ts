/** `lapidary/diff`: an API as plain data that can be kept, and which programs break by a change of it. */
export type { Change, Compatibility } from '../diff/change.ts'
export { diff } from '../diff/diff.ts'
export { type FormatDiffOptions, formatDiff } from '../diff/diffText.ts'
export {
  type ApiManifest,
  type AuthManifest,
  type ContentManifest,
  type EndpointManifest,
  type MediaTypeManifest,
  manifest,
  type ParameterManifest,
  type ReplyManifest,
} from '../diff/manifest.ts'
