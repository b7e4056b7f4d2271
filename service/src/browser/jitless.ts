/** Makes zod validate without generated code, which the Content-Security-Policy forbids. Import it before any schema. */
import { config } from 'zod'

config({ jitless: true })
