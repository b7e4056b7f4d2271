/** `lapidary/middleware`: CORS, time limits and load shedding around a handler. */
export { type CorsOptions, cors } from './middleware/cors.ts'
export { type LoadSheddingOptions, loadShedding } from './middleware/loadShedding.ts'
export { type TimeoutOptions, timeout } from './middleware/timeout.ts'
