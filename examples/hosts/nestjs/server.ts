import 'reflect-metadata'
import { Controller, Get, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

@Controller()
class AboutController {
  @Get('about')
  show() {
    return 'The host.'
  }
}

@Module({ controllers: [AboutController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false })
app.use(toNodeListener(server))
await app.listen(Number(process.env['PORT']), '127.0.0.1')
