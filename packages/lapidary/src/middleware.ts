/**
 * `lapidary/middleware`: compression, caching, CORS, CSRF, security headers, time limits, rate limits, load shedding, ids, logs and metrics for
 * the list `middleware` of `serve`, and the header lists that middleware reads and changes.
 */
export { isHealthCheck } from './contract/healthEndpoints.ts'
export { appendHeader, getHeader, hasHeader, vary } from './http/headerFields.ts'
export { type HttpHandler, isAlreadySent } from './http/httpHandler.ts'
export { type AccessLogEntry, accessLog } from './middleware/accessLog.ts'
export { type CacheControlOptions, cacheControl } from './middleware/cacheControl.ts'
export { compose, type Middleware, type MiddlewareContext } from './middleware/compose.ts'
export { type CompressionOptions, compression } from './middleware/compression.ts'
export type { ContentCoding } from './middleware/contentCodings.ts'
export { type CorsOptions, cors } from './middleware/cors.ts'
export { type CsrfOptions, csrf } from './middleware/csrf.ts'
export { decompression } from './middleware/decompression.ts'
export { type LoadSheddingOptions, loadShedding } from './middleware/loadShedding.ts'
export type { MetricAttributes, MetricMeter, MetricRegistry, RegistryMetric } from './middleware/metricInstruments.ts'
export { type MetricsOptions, metrics } from './middleware/metrics.ts'
export { type RateLimitOptions, rateLimit } from './middleware/rateLimit.ts'
export {
  type MemoryRateLimitStoreOptions,
  memoryRateLimitStore,
  type RateLimitState,
  type RateLimitStore,
  type RateLimitUse,
} from './middleware/rateLimitStore.ts'
export { type RequestIdOptions, requestId } from './middleware/requestId.ts'
export { type SecurityHeaders, securityHeaders } from './middleware/securityHeaders.ts'
export { type TimeoutOptions, timeout } from './middleware/timeout.ts'
export { trustProxy } from './middleware/trustProxy.ts'
