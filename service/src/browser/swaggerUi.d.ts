/** What is used here of Swagger UI. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  interface SwaggerUiOptions {
    readonly domNode: HTMLElement
    /** The address of the OpenAPI document. */
    readonly url: string | undefined
    /** null: no validator is asked. */
    readonly validatorUrl: null
    /** Whether the address names the operation that is open. */
    readonly deepLinking: boolean
    /** Whether operations can be tried without a click before. */
    readonly tryItOutEnabled: boolean
  }
  export default function swaggerUi(options: SwaggerUiOptions): unknown
}
