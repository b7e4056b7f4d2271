/** The script of the documentation page: Swagger UI with the OpenAPI document. */
import swaggerUi from 'swagger-ui-dist/swagger-ui-bundle.js'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const applyTheme = (): void => void document.documentElement.classList.toggle('dark-mode', prefersDark.matches)
prefersDark.addEventListener('change', applyTheme)
applyTheme()

// A validator would be a service of another origin.
swaggerUi({ dom_id: '#docs', url: '/openapi.json', validatorUrl: null, deepLinking: true, tryItOutEnabled: true })
