/** Prints the OpenAPI document of the API beside it. */
import { openapi } from 'lapidary/openapi'
import { api } from './api.ts'

process.stdout.write(JSON.stringify(await openapi(api, { title: 'An API', version: '1.0.0' })))
