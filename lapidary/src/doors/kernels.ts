/** The public door of kernels around kernels: deadlines, pages of other origins, and more requests than can be answered. */
export { type CorsOptions, cors } from '../kernels/cors.ts'
export { type TimeoutOptions, timeout } from '../kernels/deadline.ts'
export { type LoadSheddingOptions, loadShedding } from '../kernels/shedding.ts'
