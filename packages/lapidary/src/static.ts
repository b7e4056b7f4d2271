/** `lapidary/static`: serves the files of a folder. */
export { type ServeStaticOptions, serveStatic } from './static/serveStatic.ts'
