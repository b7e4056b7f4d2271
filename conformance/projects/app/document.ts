/** The OpenAPI document of the API with every word of the language. */
import { openapi } from 'lapidary/openapi'
import { api } from './everything.ts'

const document = await openapi(api, { title: 'Everything', version: '1.0.0' })
process.stdout.write(JSON.stringify(document, null, 2))
