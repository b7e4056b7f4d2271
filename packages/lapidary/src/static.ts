/** `lapidary/static`: serves files, of a folder or from a handler. */
export { type SendFileOptions, sendFile } from './static/sendFile.ts'
export { type ServeStaticOptions, serveStatic } from './static/serveStatic.ts'
