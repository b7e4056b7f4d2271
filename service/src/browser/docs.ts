/** The script of the documentation page: Swagger UI with the OpenAPI document that the page names. */
import swaggerUi from 'swagger-ui-dist/swagger-ui-bundle.js'
import { elementById } from './element.ts'

const container = elementById('docs', HTMLElement)
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const applyTheme = (): void => void document.documentElement.classList.toggle('dark-mode', prefersDark.matches)
prefersDark.addEventListener('change', applyTheme)
applyTheme()

// A validator would be a service of another origin.
swaggerUi({ domNode: container, url: container.dataset['openapi'], validatorUrl: null, deepLinking: true, tryItOutEnabled: true })
