/** The exports of an app, with inferred types: its API with every part of the language, its server and its client. */
import { endpoint, int, noContent, type ParameterRecord } from 'lapidary'
import { client } from 'lapidary/client'
import { api, everything } from './everything.ts'

export * from './everything.ts'
export const server = everything()
export const call = client(api, 'http://127.0.0.1:8081')
export const { people, echo, page } = api

/** A function that is generic over the parameters of its endpoint. */
export const paged = <Query extends ParameterRecord>(query: Query) =>
  endpoint('GET /items', { query: { ...query, page: int }, response: noContent })
