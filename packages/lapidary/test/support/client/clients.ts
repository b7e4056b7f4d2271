/** The two clients of an API, for tests that both have to pass: the one that validates, and the light one with the routes that `lapidary routes --client` writes. */
import type { AnyEndpoint, Api } from 'lapidary'
import { type Client, type ClientOptions, client, isDeclaredError } from 'lapidary/client'
import * as light from 'lapidary/light'
import { printLightRoutes } from '../../../../cli/src/lightRoutes.ts'

/** What the module of routes exports. */
interface RoutesModule {
  readonly routes: object
  readonly auth: Readonly<Record<string, light.Credentials['scheme']>>
}

const routesModules = new WeakMap<Api, RoutesModule>()
const routesOfEndpoints = new WeakMap<AnyEndpoint, light.Route>()

function noteRoutes(api: Api, routes: object): void {
  for (const [name, part] of Object.entries(api)) {
    const route = Reflect.get(routes, name) as light.Route | object | undefined
    if (route === undefined) continue
    if (part['~kind'] === 'endpoint') routesOfEndpoints.set(part as AnyEndpoint, route as light.Route)
    else noteRoutes(part as Api, route)
  }
}

/** The module of routes of an API, as it runs in a page. */
export function loadRoutes(api: Api): RoutesModule {
  const known = routesModules.get(api)
  if (known !== undefined) return known
  const text = printLightRoutes(api)
  const code = text
    .replace(/^import \{(.*)\} from '.*'$/m, 'const {$1} = light')
    .replaceAll(/^export /gm, '')
    .replace(/ as const$/m, '')
  const module = new Function('light', `${code}\nreturn { routes, auth: typeof auth === 'undefined' ? {} : auth }`)(light) as RoutesModule
  routesModules.set(api, module)
  noteRoutes(api, module.routes)
  return module
}

/** Makes a light client of an API. The credentials may be those of the schemes of the API. */
function createLightClient<const A extends Api>(api: A, base: string | URL, options: ClientOptions = {}): Client<A> {
  const { routes, auth } = loadRoutes(api)
  const given = options.auth?.map((one) => ({ ...one, scheme: auth[one.scheme.name] ?? one.scheme }))
  return light.client<A>(routes as light.Routes<A>, base, { ...options, ...(given && { auth: given }) })
}

/** A client, and how it tells declared errors. */
export interface ClientKind {
  readonly kind: string
  readonly isLight: boolean
  readonly createClient: typeof client
  readonly isDeclared: typeof isDeclaredError
}

export const clients: readonly ClientKind[] = [
  { kind: 'the validating client', isLight: false, createClient: client, isDeclared: isDeclaredError },
  {
    kind: 'the light client',
    isLight: true,
    createClient: createLightClient,
    isDeclared: ((endpoint, error) => {
      const route = routesOfEndpoints.get(endpoint)
      return route !== undefined && light.isDeclaredError<AnyEndpoint>(route, error)
    }) as typeof isDeclaredError,
  },
]
