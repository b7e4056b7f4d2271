/** `lapidary/middleware`: CORS, time limits and load shedding around a handler, and the header lists that middleware reads and changes. */
export { appendHeader, getHeader, hasHeader, vary } from './http/headerFields.ts'
export { type HttpHandler, isAlreadySent, type Middleware } from './http/httpHandler.ts'
export { type CorsOptions, cors } from './middleware/cors.ts'
export { type LoadSheddingOptions, loadShedding } from './middleware/loadShedding.ts'
export { type TimeoutOptions, timeout } from './middleware/timeout.ts'
