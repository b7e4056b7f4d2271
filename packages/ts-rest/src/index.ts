/** `@lapidary/ts-rest`: serves contracts of ts-rest, and describes them. */
export { contractSchema } from './contractSchema.ts'
export { type ApiOf, type EndpointOf, fromTsRest } from './fromTsRest.ts'
export { type ImplementOptions, implement, type RouteHandler, type RouterHandlers } from './implement.ts'
export type {
  RequestValidationError,
  RequestValidationErrorHandler,
  ValidationError,
  ValidationIssue,
  ValidationResponse,
} from './requestValidation.ts'
export type { HandlerContext } from './routeHandlers.ts'
