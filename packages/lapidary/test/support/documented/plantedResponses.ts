/** An API whose handlers all do the same, for answers that cannot be brought about from outside. */
import { type Api, operations } from 'lapidary'
import { type ApiServer, type Authenticator, type Handlers, serve } from 'lapidary/server'

interface Tree {
  [name: string]: Tree | (() => unknown)
}

/** Serves an API with `behave` for each endpoint; a client with credentials for one of the schemes is let in. */
export function planted<A extends Api>(api: A, schemes: readonly Authenticator['scheme'][], behave: () => unknown): ApiServer {
  const handlers: Tree = {}
  for (const { path, operation } of operations(api)) {
    let record = handlers
    for (const key of path.slice(0, -1)) {
      const below = record[key] ?? {}
      record[key] = below
      if (typeof below !== 'function') record = below
    }
    record[path.at(-1) ?? ''] = operation['~kind'] === 'mount' ? () => ({ status: 204, headers: [], body: null }) : behave
  }
  // One function under the name of each endpoint, as walk() gives them, is what the type asks for.
  return serve(api, handlers as Handlers<A>, {
    auth: schemes.map((scheme) => ({ scheme, verify: () => true, scopes: () => ['stock:read', 'stock:write'] })),
    onError: () => {},
  })
}
