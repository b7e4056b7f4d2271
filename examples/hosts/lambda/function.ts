import { toLambdaStreamHandler } from 'lapidary/lambda'
import { server } from '../server.ts'

export const handler = toLambdaStreamHandler(server)
