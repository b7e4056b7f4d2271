import { serveFunctionUrl } from './emulator.ts'

const { handler } = await import('./function.ts')
serveFunctionUrl(handler)
