/** The public door of kernels around kernels: deadlines, and pages of other origins. */
export { type CorsOptions, cors } from '../kernels/cors.ts'
export { type DeadlineOptions, deadline } from '../kernels/deadline.ts'
