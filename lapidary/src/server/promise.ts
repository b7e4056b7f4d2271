/** Telling what is there from what is still to come. */

/** Whether a value is still to come. A synchronous handler without a body never makes a promise. */
export const isPromise = (value: unknown): value is Promise<unknown> =>
  value instanceof Promise || (typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function')
