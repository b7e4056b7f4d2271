import { createHTTPServer } from '@trpc/server/adapters/standalone'
import { appRouter, createContext } from './app.ts'

createHTTPServer({ router: appRouter, createContext, basePath: '/trpc/' }).listen(Number(process.env['PORT']), '127.0.0.1')
