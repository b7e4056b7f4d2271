/** The program with the beta of oRPC 2, whose packages are in `orpc2/`: the parts are those of the first version. */
import { write } from './orpc.mjs'

const imports = `import { createORPCClient } from '@orpc/client'
import { type RouterContractClient as ContractRouterClient, oc } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi'
import { OpenAPILink } from '@orpc/openapi/fetch'
import '@orpc/openapi/extensions/route'
import { implement } from '@orpc/server'
`

/** @param {number} parts */
export const program = (parts) => write(parts, imports, "origin: 'http://127.0.0.1'")
