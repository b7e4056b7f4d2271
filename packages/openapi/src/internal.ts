/** What the command line uses besides the public names. It may change in any version. */
export { isDocumentPath } from './readOpenApi.ts'
export { type WrittenModule, writeModule } from './writing/writeModule.ts'
