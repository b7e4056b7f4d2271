/** `@lapidary/openapi`: reads OpenAPI documents as APIs. */
export { fromOpenApi, type ImportedApi, type ServerDescription } from './fromOpenApi.ts'
export type { Limit, LimitKind } from './limits.ts'
export { type ReadOptions, readOpenApi } from './readOpenApi.ts'
