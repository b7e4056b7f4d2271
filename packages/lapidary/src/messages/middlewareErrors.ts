/** What middleware says to a developer who has written something that it cannot use. */

export const invalidAccessLogListener = (got: string): string =>
  `accessLog() has ${got} as its listener, expected a function, or an object with the functions onStart and onEnd. Write accessLog((entry) => log(entry)).`
export const composedNoHandler = (got: string): string =>
  `compose(): the handler is ${got}, expected a function from a request to a response. Write compose([requestId()], handler).`
export const expectedHandler = (place: string, index: number, got: string): string =>
  `${place}: middleware[${index}] returned ${got}, expected a handler. Return (request) => next(request), or next itself.`
export const expectedMiddleware = (place: string, index: number, got: string): string =>
  `${place}: middleware[${index}] is ${got}, expected a function from a handler to a handler. Write requestId(), or your own: (next) => (request) => next(request). To leave one out, write ...(isNeeded ? [requestId()] : []).`
export const expectedMiddlewareList = (place: string, got: string): string =>
  `${place}: middleware is ${got}, expected a list of middleware, the outermost first. Write [requestId(), timeout(5_000)].`
export const credentialsWithAnyOrigin = (): string =>
  'cors() cannot allow credentials for every origin: any page could act for its visitors. List the origins, or remove credentials.'
export const unsendableHeaderName = (place: string, name: unknown): string =>
  `${place} is ${JSON.stringify(name)}, expected the name of a header. Use letters, digits and hyphens, such as X-Request-Id.`
export const unsendableHeader = (place: string, name: string, value: unknown): string =>
  `${place}: ${name} is ${JSON.stringify(value)}, expected the text of a header, or false to leave it out. Use printable characters on one line.`
export const invalidEncodings = (encodings: unknown, known: readonly string[]): string =>
  `compression() has the encodings ${JSON.stringify(encodings)}, expected a list of ${known.join(', ')}. Leave encodings out for all of them.`
export const invalidTypes = (types: unknown): string =>
  `compression() has the types ${JSON.stringify(types)}, expected a list of media types. Write ["text/event-stream"].`
export const invalidCompressionLevel = (coding: string, level: unknown, least: number | undefined, most: number | undefined): string =>
  least === undefined
    ? `compression() has a level of ${JSON.stringify(coding)}, expected zstd, br or gzip.`
    : `compression() has the level ${JSON.stringify(level)} of ${coding}, expected an integer from ${least} to ${most}.`
export const expectedCacheControl = (place: string, value: unknown): string =>
  `${place} has the value ${JSON.stringify(value)}, expected directives such as no-cache, no-store or max-age=60.`
export const invalidDirective = (place: string, directive: string, hasSeconds: boolean | undefined): string => {
  if (hasSeconds === undefined)
    return `${place} has ${JSON.stringify(directive)}, which is no directive of Cache-Control. Write max-age=60 or no-cache.`
  return `${place} has ${JSON.stringify(directive)}, expected the directive ${hasSeconds ? 'with a number of seconds: max-age=60' : 'alone, without a value'}.`
}
export const conflictingDirectives = (place: string, [one, other]: readonly [string, string]): string =>
  `${place} has ${one} and ${other}, which say opposite things. Remove one of them.`
export const sharedCredentials = (route: string, directive: string): string =>
  `cacheControl() has ${directive} for ${route}, whose responses depend on credentials or cookies: caches would give them to other clients. Leave it out, or declare Cache-Control in responseHeaders of the endpoint.`
export const expectedOptions = (place: string, got: string, options: string): string =>
  `${place} has ${got} as its options, expected an object. Use ${options}.`
export const uncalledMiddleware = (place: string): string =>
  `${place} takes its options, but got a function. Call it in the list: serve(api, handlers, { middleware: [${place}] }), or compose([${place}], handler).`
export const invalidOrigin = (place: string, origin: unknown, cure: string): string =>
  `${place} has the origin ${JSON.stringify(origin)}, which no browser sends. Write a list such as ["https://example.org"], in lower case, without a path and without the usual port.${cure && ` ${cure}`}`
export const invalidProxies = (got: string): string =>
  `trustProxy() has proxies that are ${got}, expected a list of addresses and networks. Write trustProxy(["10.0.0.0/8"]), or give it a BlockList.`
export const invalidProxy = (text: string): string =>
  `trustProxy() has the proxy ${JSON.stringify(text)}, expected an IP address or a network. Write it as 10.0.0.1, fd00::1 or 10.0.0.0/8.`
export const middlewareOutOfOrder = (place: string, outer: string, inner: string, why: string): string =>
  `${place}: middleware has ${outer} after ${inner}, expected before it: ${why}. Write [${outer}, ${inner}].`
export const middlewareTwice = (place: string, name: string, why: string): string =>
  `${place}: middleware has ${name} twice, expected once: ${why}. Remove one.`
export const sameMiddlewareTwice = (place: string, name: string): string =>
  `${place}: middleware has the same ${name} twice, expected once. Remove one, or call ${name} for each.`
/** What is wrong with an order of middleware. */
export const orderReasons = {
  tracing: (inner: string): string => `a response that ${inner} makes itself would have no span`,
  requestId: (inner: string): string => `a response that ${inner} makes itself would have no id`,
  accessLog: (inner: string): string => `a response that ${inner} makes itself would not reach the listener`,
  metrics: (inner: string): string => `a response that ${inner} makes itself would not be counted`,
  cors: (inner: string): string => `a page could not read a response that ${inner} makes itself`,
  securityHeaders: (inner: string): string => `a response that ${inner} makes itself would have none of the headers`,
  trustProxy: (inner: string): string => `${inner} would see the address of the proxy in place of the client's`,
} as const
/** What is wrong with two of the same middleware. */
export const twiceReasons = {
  tracing: 'each request would have two spans',
  requestId: 'the handler would see another id than the response has',
  cors: 'each response would have its headers twice, which browsers refuse',
  trustProxy: 'the second one would read X-Forwarded-For from its end again',
} as const
export const metricsOfNothing = (): string =>
  "metrics() has neither a registry nor a meter, expected where to record. Write metrics({ registry: register }) with prom-client's register, or metrics({ meter: metrics.getMeter('shop') }) with OpenTelemetry's."
export const invalidRegistry = (): string =>
  'metrics() has a registry without the function registerMetric, expected that of prom-client. Write metrics({ registry: register }).'
export const invalidMeter = (): string =>
  "metrics() has a meter without the functions createHistogram and createUpDownCounter, expected one of @opentelemetry/api. Write metrics({ meter: metrics.getMeter('shop') })."
export const invalidBuckets = (): string =>
  'metrics(): buckets has to be a list of numbers above 0 that ascend. Write seconds, such as [0.01, 0.1, 1].'
export const differentBuckets = (known: readonly number[], buckets: readonly number[]): string =>
  `metrics() has the buckets ${buckets.join(', ')} for a registry whose durations have ${known.join(', ')}. Give all metrics() of a registry the same buckets, or each one a registry of its own.`
export const limitedStranger = (route: string, policy: string): string =>
  `rateLimit(): ${route} has the rate limit "${policy}" by the users of an auth scheme that it does not take. Add the scheme to its "auth", or move the policy to a group that has it.`
export const invalidPartition = (policy: string, got: string): string =>
  `rateLimit(): the function "by" of "${policy}" returned ${got}, expected a text, or undefined for a request that does not count.`
export const invalidCost = (policy: string, got: unknown): string =>
  `rateLimit(): the function "cost" of "${policy}" returned ${String(got)}, expected an integer from 0.`
export const unidentifiedLimit = (scheme: string): string =>
  `rateLimit() cannot tell the users of "${scheme}" apart: they are no texts, no numbers, and have no id. Write rateLimit({ identify: (user) => user.name }).`
export const invalidRateLimitState = (kind: string): string =>
  `rateLimit(): store.take returned ${kind}, expected a state. Return { isAllowed, remaining, reset, retryAfter }.`
export const slowStore = (time: number): string => `The store of rateLimit() has not answered within ${time.toLocaleString('en-US')} ms.`
