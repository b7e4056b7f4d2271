/** The public door of the documentation: `markdown(await outline(api))`. */
export type { Answer } from '../docs/answer.ts'
export type { Encoding, Example } from '../docs/encoding.ts'
export { exampleOf } from '../docs/exampleOf.ts'
export type { Field } from '../docs/field.ts'
export { type MarkdownOptions, markdown } from '../docs/markdown.ts'
export { type Introduction, type Outline, type OutlineOptions, outline } from '../docs/outline.ts'
export type { Protection, Section } from '../docs/section.ts'
