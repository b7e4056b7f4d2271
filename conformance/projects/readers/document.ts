/** Prints the OpenAPI document of the API beside it, in the version of the first argument. */
import { type OpenApiVersion, openapi } from 'lapidary/openapi'
import { api } from './api.ts'

const document = await openapi(api, { title: 'An API', version: '1.0.0', openapi: process.argv[2] as OpenApiVersion })
process.stdout.write(JSON.stringify(document))
