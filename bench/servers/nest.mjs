/** NestJS on Fastify, with its ValidationPipe, its ParseIntPipe and class-validator, as its guides show. */
import { Readable } from 'node:stream'
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Res,
  StreamableFile,
  ValidationPipe,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { IsArray, IsInt, IsOptional, IsString } from 'class-validator'
import { email, greeting, hundred, many, thousand } from './data.mjs'
import { checked, decorated } from './nest/decorated.mjs'
import { pageOf } from './pages.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

const HelloQuery = checked({ name: [IsOptional(), IsString()] })
const PageQuery = checked({ after: [IsString()] })
const ClientInfo = checked({
  clientName: [IsString()],
  clientEmail: [IsString()],
  clientAge: [IsInt()],
  clientInterestedIn: [IsArray(), IsString({ each: true })],
})

class Everything {
  hello({ name }) {
    return greeting(name)
  }
  position(x, y) {
    return { xCoord: x, yCoord: y }
  }
  marketing(client) {
    return email(client)
  }
  hundred() {
    return hundred
  }
  thousand() {
    return thousand
  }
  stored() {
    return rows.users()
  }
  colors({ after }, reply) {
    const { items, headers } = pageOf(rows, after)
    reply.headers(headers)
    return items
  }
  stream() {
    const lines = async function* () {
      for await (const user of many()) yield `${JSON.stringify(user)}\n`
    }
    return new StreamableFile(Readable.from(lines(), { objectMode: false }), { type: 'application/x-ndjson' })
  }
}
decorated(Everything, [Controller()], {
  hello: { with: [Get('hello')], parameters: [[HelloQuery, Query()]] },
  position: {
    with: [Get('position/:x/:y')],
    parameters: [
      [Number, Param('x', ParseIntPipe)],
      [Number, Param('y', ParseIntPipe)],
    ],
  },
  marketing: { with: [Post('marketing'), HttpCode(200)], parameters: [[ClientInfo, Body()]] },
  hundred: { with: [Get('hundred')] },
  thousand: { with: [Get('thousand')] },
  stored: { with: [Get('stored')] },
  colors: {
    with: [Get('colors')],
    parameters: [
      [PageQuery, Query()],
      [Object, Res({ passthrough: true })],
    ],
  },
  stream: { with: [Get('stream')] },
})

const Main = decorated(class Main {}, [Module({ controllers: [Everything] })])
const app = await NestFactory.create(Main, new FastifyAdapter(), { logger: false })
app.useGlobalPipes(new ValidationPipe())
await app.listen(0, '127.0.0.1')
ready(app.getHttpServer().address().port)
