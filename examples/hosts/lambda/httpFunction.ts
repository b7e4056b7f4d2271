import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { toLambdaHandler } from 'lapidary/lambda'
import { server } from '../server.ts'

export const handler = toLambdaHandler(server) satisfies (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>
