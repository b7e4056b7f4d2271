import express from 'express'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

const app = express()
app.use(toNodeListener(server))
app.get('/about', (_request, response) => void response.send('The host.'))
app.listen(Number(process.env['PORT']), '127.0.0.1')
