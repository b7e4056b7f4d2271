/** Messages about documents that cannot be read. */
import { describeKind } from 'lapidary/internal'

export const noDocument = (value: unknown): string =>
  `expected an OpenAPI document, which is an object with "openapi" or "swagger", got ${describeKind(value)}`
export const unknownVersion = (version: unknown): string =>
  version === undefined
    ? 'expected an OpenAPI document: it has neither "openapi" nor "swagger"'
    : `expected OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, got ${JSON.stringify(version)}`
export const invalidSwagger = (reason: string): string =>
  `expected a valid document of Swagger 2.0: it cannot be converted to OpenAPI 3.0 (${reason})`
export const unreadableFile = (path: string, reason: string): string => `${path}: cannot be read (${reason})`
export const outsideOfRoot = (): string => 'it is outside of the root, and only files in the root are read'
export const malformedFile = (path: string, line: number, column: number, reason: string): string => `${path}:${line}:${column}: ${reason}`
export const deepFile = (path: string, pointer: string, maximum: number): string =>
  `${path}: expected at most ${maximum} values within one another, got more at ${pointer}. An alias of YAML may contain itself.`
export const deepValues = (maximum: number): string => `expected at most ${maximum} values within one another`
export const repeatedName = (name: string): string => `the member ${JSON.stringify(name)} stands in its object twice`
export const deepDocument = (pointer: string, maximum: number): string =>
  `expected an OpenAPI document of at most ${maximum} values within one another, got more at ${pointer}: a value may contain itself`
export const unknownTarget = (path: string, pointer: string, reference: string, reason: string): string =>
  `${path}: the reference ${JSON.stringify(reference)} at ${pointer === '' ? 'its root' : pointer} leads nowhere: ${reason}`
export const tooManyAliases = (pointer: string, limit: number): string =>
  `aliases of YAML up to ${pointer} stand for more than ${limit.toLocaleString('en')} values. Use references in place of them.`
export const moreAliases = (limit: number): string =>
  `the file has more than ${limit.toLocaleString('en')} aliases of YAML. Use references in place of them.`
