/** What the command line uses besides the public names. It may change in any version. */
export { type DocumentPlan, planDocument } from './fromOpenApi.ts'
export { isDocumentPath } from './readOpenApi.ts'
