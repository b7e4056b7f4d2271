/** The measured servers: the baseline, Lapidary, and the alternatives, on Node.js and on Bun. */
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Framework
 * @property {string} name
 * @property {string} title                            as a plot names it
 * @property {string} file                             the program
 * @property {'node' | 'bun'} runtime
 * @property {readonly string[]} [words]               its arguments
 * @property {readonly string[]} packages              what is installed for it, besides what the rows need
 * @property {string} [dialect]                        of its requests, where they differ
 * @property {Readonly<Record<string, string>>} without  the workloads that it cannot do correctly, each with the reason
 */

const server = (/** @type {string} */ name) => fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url))

const noTags = 'it has no entity tags of its own'
const linesOverSse = 'it streams server-sent events, not lines'

/** @type {readonly Framework[]} */
export const frameworks = [
  { name: 'bare', title: 'node:http by hand', file: server('bare'), runtime: 'node', packages: [], without: {} },
  {
    ...{ name: 'lapidary', title: 'Lapidary', file: server('lapidary'), runtime: 'node', dialect: 'ranges' },
    ...{ packages: ['lapidary', 'zod'], without: {} },
  },
  {
    ...{ name: 'lapidary-llhttp', title: 'Lapidary, llhttp', file: server('llhttp'), runtime: 'node', dialect: 'ranges' },
    ...{ packages: ['lapidary', 'zod'], without: {} },
  },
  { name: 'fastify', title: 'Fastify', file: server('fastify'), runtime: 'node', packages: ['fastify', '@fastify/etag'], without: {} },
  {
    ...{ name: 'hono', title: 'Hono', file: server('hono'), runtime: 'node' },
    ...{ packages: ['hono', '@hono/node-server', '@hono/zod-validator', 'zod'], without: {} },
  },
  { name: 'express', title: 'Express', file: server('express'), runtime: 'node', packages: ['express', 'zod'], without: {} },
  {
    ...{ name: 'tsrest', title: 'ts-rest on Fastify', file: server('tsrest'), runtime: 'node' },
    ...{ packages: ['@ts-rest/core', '@ts-rest/fastify', 'fastify', '@fastify/etag', 'zod'], without: {} },
  },
  {
    ...{ name: 'orpc', title: 'oRPC', file: server('orpc'), runtime: 'node' },
    packages: ['@orpc/server', '@orpc/contract', '@orpc/client', '@orpc/openapi', '@orpc/openapi-client', 'zod'],
    without: { unchanged: noTags, stream: linesOverSse },
  },
  {
    ...{ name: 'effect', title: 'Effect HttpApi', file: server('effect'), runtime: 'node' },
    ...{ packages: ['effect', '@effect/platform', '@effect/platform-node'], without: { unchanged: noTags } },
  },
  {
    ...{ name: 'elysia', title: 'Elysia on Node.js', file: server('elysia'), runtime: 'node' },
    ...{ packages: ['elysia', '@elysiajs/node', '@elysiajs/eden', '@sinclair/typebox'], without: { unchanged: noTags } },
  },
  {
    ...{ name: 'nest', title: 'NestJS on Fastify', file: server('nest'), runtime: 'node' },
    packages: [
      ...['@nestjs/core', '@nestjs/common', '@nestjs/platform-fastify', 'class-validator', 'class-transformer'],
      ...['reflect-metadata', 'rxjs'],
    ],
    without: { unchanged: 'on Fastify it has none of its own, and a plugin would tag every response' },
  },
  { name: 'bun', title: 'Bun.serve by hand', file: server('bun/bare'), runtime: 'bun', packages: [], without: {} },
  {
    ...{ name: 'lapidary-bun', title: 'Lapidary on Bun', file: server('bun/lapidary'), runtime: 'bun', dialect: 'ranges' },
    ...{ packages: ['lapidary', 'zod'], without: {} },
  },
  {
    ...{ name: 'elysia-bun', title: 'Elysia on Bun', file: server('bun/elysia'), runtime: 'bun' },
    ...{ packages: ['elysia', '@elysiajs/eden', '@sinclair/typebox'], without: { unchanged: noTags } },
  },
  {
    ...{ name: 'hono-bun', title: 'Hono on Bun', file: server('bun/hono'), runtime: 'bun' },
    ...{ packages: ['hono', '@hono/zod-validator', 'zod'], without: {} },
  },
]
