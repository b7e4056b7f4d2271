// A shelf of stones on NestJS with @nestjs/swagger and class-validator, as their documentation shows it.
import 'reflect-metadata'
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Res,
  ValidationPipe,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger'
import { Type } from 'class-transformer'
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator'
import { createShelf } from './shelf.mjs'

class Stone {
  @ApiProperty({ minLength: 1, maxLength: 40 })
  @IsString()
  @Length(1, 40)
  name!: string

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 10 })
  @IsInt()
  @Min(1)
  @Max(10)
  hardness!: number

  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional()
  @IsString()
  note?: string | null
}

class StoredStone extends Stone {
  @ApiProperty({ type: 'integer' })
  id!: number
}

class Failure {
  @ApiProperty({ type: 'integer' })
  statusCode!: number

  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  message!: string | string[]

  @ApiProperty()
  error!: string
}

class Search {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  name?: string

  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  least?: number

  @ApiPropertyOptional({ enum: ['name', 'hardness'] })
  @IsOptional()
  @IsIn(['name', 'hardness'])
  order?: 'name' | 'hardness'
}

const shelf = createShelf()

function requireStone<Value>(stone: Value | undefined): Value {
  if (stone === undefined) throw new NotFoundException('There is no such stone.')
  return stone
}

@Controller('stones')
@ApiBadRequestResponse({ type: Failure })
class StonesController {
  @Get()
  @ApiOkResponse({ type: [StoredStone] })
  list(@Query() query: Search) {
    return shelf.search(query)
  }

  @Post()
  @ApiCreatedResponse({ type: StoredStone })
  add(@Body() stone: Stone, @Res({ passthrough: true }) response: { location: (url: string) => void }) {
    const added = shelf.add(stone)
    response.location(`/stones/${added.id}`)
    return added
  }

  @Get(':id')
  @ApiOkResponse({ type: StoredStone })
  @ApiNotFoundResponse({ type: Failure })
  get(@Param('id', ParseIntPipe) id: number) {
    return requireStone(shelf.get(id))
  }

  @Put(':id')
  @ApiOkResponse({ type: StoredStone })
  @ApiNotFoundResponse({ type: Failure })
  replace(@Param('id', ParseIntPipe) id: number, @Body() stone: Stone) {
    return requireStone(shelf.replace(id, stone))
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ type: Failure })
  remove(@Param('id', ParseIntPipe) id: number) {
    requireStone(shelf.remove(id) || undefined)
  }
}

@Module({ controllers: [StonesController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false })
app.useGlobalPipes(new ValidationPipe({ transform: true }))
SwaggerModule.setup(
  'docs',
  app,
  () => SwaggerModule.createDocument(app, new DocumentBuilder().setTitle('Stones').setVersion('1.0.0').build()),
  { jsonDocumentUrl: 'openapi.json' },
)
await app.listen(0, '127.0.0.1')
process.stdout.write(`${await app.getUrl()}/openapi.json\n`)
