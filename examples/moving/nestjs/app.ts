import 'reflect-metadata'
import {
  type ArgumentsHost,
  BadRequestException,
  Body,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseFilePipe,
  ParseIntPipe,
  type PipeTransform,
  Post,
  Query,
  Res,
  SetMetadata,
  UnauthorizedException,
  UploadedFile,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import { APP_FILTER, Reflector } from '@nestjs/core'
import { FileInterceptor } from '@nestjs/platform-express'
import type { Response } from 'express'
import { z } from 'zod'
import { SoldError, sell, stones, type User, users } from '../stones.ts'

const NewStone = z.object({
  name: z.string().min(1),
  hardness: z.number().int().min(1).max(10),
  cutAt: z.iso.datetime().transform((text) => new Date(text)),
})

class ZodPipe implements PipeTransform {
  constructor(private readonly schema: z.ZodType) {}

  transform(value: unknown): unknown {
    const result = this.schema.safeParse(value)
    if (!result.success) throw new BadRequestException(z.prettifyError(result.error))
    return result.data
  }
}

@Injectable()
class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest()
    request.user = users.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
    if (request.user === undefined) throw new UnauthorizedException('Who are you?')
    return true
  }
}

const Role = (role: User['role']) => SetMetadata('role', role)

@Injectable()
class RoleGuard implements CanActivate {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const role = this.reflector.get<User['role'] | undefined>('role', context.getHandler())
    if (role === undefined || context.switchToHttp().getRequest().user.role === role) return true
    throw new ForbiddenException(`This takes a ${role}.`)
  }
}

@Catch(SoldError)
class SoldFilter implements ExceptionFilter<SoldError> {
  catch(error: SoldError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(409).json({ statusCode: 409, message: error.message })
  }
}

@Injectable()
class StonesService {
  search = (minHardness = 0) => stones.filter(({ hardness }) => hardness >= minHardness)

  find(id: number) {
    const stone = stones.find((one) => one.id === id)
    if (stone === undefined) throw new NotFoundException(`There is no stone ${id}.`)
    return stone
  }

  add(fields: z.output<typeof NewStone>) {
    const stone = { id: stones.length + 1, ...fields }
    stones.push(stone)
    return stone
  }

  sell = (id: number) => sell(this.find(id).id)
}

@Controller('stones')
class StonesController {
  constructor(@Inject(StonesService) private readonly service: StonesService) {}

  @Get()
  all(@Query('minHardness', new ParseIntPipe({ optional: true })) minHardness?: number) {
    return this.service.search(minHardness)
  }

  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number) {
    return this.service.find(id)
  }

  @Post()
  @UseGuards(AuthGuard, RoleGuard)
  @Role('keeper')
  add(@Body(new ZodPipe(NewStone)) body: z.output<typeof NewStone>, @Res({ passthrough: true }) response: Response) {
    const stone = this.service.add(body)
    response.location(`/stones/${stone.id}`)
    return stone
  }

  @Post(':id/photo')
  @HttpCode(200)
  @UseGuards(AuthGuard)
  @UseInterceptors(FileInterceptor('photo', { limits: { fileSize: 1_000_000 } }))
  photo(@Param('id', ParseIntPipe) id: number, @UploadedFile(new ParseFilePipe()) photo: Express.Multer.File) {
    this.service.find(id)
    return { name: photo.originalname, size: photo.size }
  }

  @Post(':id/sale')
  @HttpCode(204)
  @UseGuards(AuthGuard, RoleGuard)
  @Role('keeper')
  sell(@Param('id', ParseIntPipe) id: number) {
    this.service.sell(id)
  }
}

@Module({
  controllers: [StonesController],
  providers: [StonesService, { provide: APP_FILTER, useClass: SoldFilter }],
})
export class AppModule {}
