/** The public door of the documentation: `markdown(await outline(api))`. */
export type { Answer } from '../docs/answer.ts'
export type { Field } from '../docs/field.ts'
export { type MarkdownOptions, markdown } from '../docs/markdown.ts'
export { type Introduction, type Outline, type OutlineOptions, outline } from '../docs/outline.ts'
export type { Protection, Section } from '../docs/section.ts'
export type { Encoding, Example } from '../examples/encoding.ts'
export { exampleOf } from '../examples/exampleOf.ts'
