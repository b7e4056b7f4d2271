/** The used part of Swagger UI. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function swaggerUi(options: Readonly<Record<string, unknown>>): unknown
}
