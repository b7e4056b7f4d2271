/** The public door of static files. */
export { type ServeStaticOptions, serveStatic } from '../carriers/files.ts'
