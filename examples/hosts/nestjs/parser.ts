import 'reflect-metadata'
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

/** Middleware of a module runs behind the body parser. */
@Module({})
class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(toNodeListener(server)).forRoutes('*path')
  }
}

const app = await NestFactory.create(AppModule, { logger: false })
await app.listen(Number(process.env['PORT']), '127.0.0.1')
