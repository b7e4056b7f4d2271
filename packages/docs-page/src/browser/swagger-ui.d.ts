/** The used part of Swagger UI. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  interface SwaggerUi {
    readonly initOAuth: (options: Readonly<Record<string, unknown>>) => void
  }
  export default function swaggerUi(options: Readonly<Record<string, unknown>>): SwaggerUi
}
