import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.ts'

const app = await NestFactory.create(AppModule, { logger: false })
await app.listen(Number(process.env['PORT']), '127.0.0.1')
