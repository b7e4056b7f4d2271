/** The public door of static files. */
export { type FilesOptions, files } from '../carriers/files.ts'
