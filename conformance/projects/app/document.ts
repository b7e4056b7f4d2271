/** The OpenAPI document of the API with every word of the language, in the version of the first argument. */
import { type OpenApiVersion, openapi } from 'lapidary/openapi'
import { api } from './everything.ts'

const document = await openapi(api, { title: 'Everything', version: '1.0.0', openapi: process.argv[2] as OpenApiVersion })
process.stdout.write(JSON.stringify(document, null, 2))
