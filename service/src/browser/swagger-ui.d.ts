/** The used part of Swagger UI. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  interface SwaggerUiOptions {
    readonly domNode: HTMLElement
    /** The URL of the OpenAPI document. */
    readonly url: string | undefined
    /** null: no validator. */
    readonly validatorUrl: null
    /** Whether the URL of the page contains the open operation. */
    readonly deepLinking: boolean
    /** Whether operations can be tried without another click. */
    readonly tryItOutEnabled: boolean
  }
  export default function swaggerUi(options: SwaggerUiOptions): unknown
}
