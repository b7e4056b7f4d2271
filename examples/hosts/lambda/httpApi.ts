import { serveHttpApi } from './emulator.ts'
import { handler } from './httpFunction.ts'

serveHttpApi(handler)
