/** The script of the documentation page: Swagger UI with the OpenAPI document. */
import './basicCredentials.ts'
import swaggerUi from 'swagger-ui-dist/swagger-ui-bundle.js'
import { nameParts, plainNames } from './accessibility.ts'
import { receiveOAuth2Results } from './oauth2Results.ts'
import { removeRequestCookies, setRequestCookies } from './requestCookies.ts'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const applyTheme = (): void => void document.documentElement.classList.toggle('dark-mode', prefersDark.matches)
prefersDark.addEventListener('change', applyTheme)
applyTheme()

const container = document.querySelector('#docs') as HTMLElement
const resolve = (url = ''): string => new URL(url, document.baseURI).href
const { openapi, loginRedirect, loginClient } = container.dataset

const ui = swaggerUi({
  domNode: container,
  url: resolve(openapi),
  // A validator would be a service of another origin.
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  oauth2RedirectUrl: resolve(loginRedirect),
  requestInterceptor: setRequestCookies,
  responseInterceptor: removeRequestCookies,
  plugins: [plainNames],
})
receiveOAuth2Results()
nameParts(container)
if (loginClient !== undefined) ui.initOAuth({ ...JSON.parse(loginClient), usePkceWithAuthorizationCodeGrant: true })
