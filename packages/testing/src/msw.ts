/** `@lapidary/testing/msw`: a mock as request handlers of MSW, in a browser and in tests. It has `mock` as well, without what needs Node.js. */
export { mock } from './mock/mock.ts'
export { handlers } from './mock/mswHandlers.ts'
