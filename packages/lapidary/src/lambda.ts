/** `lapidary/lambda`: runs on AWS Lambda, behind a function URL or an HTTP API of API Gateway. */
export {
  type LambdaEvent,
  type LambdaHandler,
  type LambdaResult,
  type LambdaStreamHandler,
  toLambdaHandler,
  toLambdaStreamHandler,
} from './adapters/lambda/lambdaHandler.ts'
