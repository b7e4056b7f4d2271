/** `lapidary/middleware`: CORS, time limits and load shedding around a handler. */
export { cors } from './middleware/cors.js'
export { loadShedding } from './middleware/loadShedding.js'
export { timeout } from './middleware/timeout.js'
