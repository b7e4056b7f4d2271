/** `@lapidary/testing/msw`: a mock as request handlers of MSW, in a browser and in tests. */
export { handlers } from './mock/mswHandlers.ts'
