/** Has schemas validate without generated code, which the pages' Content-Security-Policy forbids. Imported before any schema is made. */
import { config } from 'zod'

config({ jitless: true })
