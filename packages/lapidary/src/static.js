/** `lapidary/static`: serves the files of a folder. */
export { serveStatic } from './static/serveStatic.js'
