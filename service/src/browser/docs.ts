/** The documentation page: Swagger UI, on the OpenAPI document that the page names. */
import swaggerUi from 'swagger-ui-dist/swagger-ui-bundle.js'
import { part } from './part.ts'

const place = part('docs', HTMLElement)
const dark = matchMedia('(prefers-color-scheme: dark)')

const match = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', match)
match()

// Without a validator it asks nobody but us.
swaggerUi({ domNode: place, url: place.dataset['openapi'], validatorUrl: null, deepLinking: true, tryItOutEnabled: true })
