/** The products. Clients choose their identifiers. */
import { collection, created, endpoint, int, noContent, prefix, reply, text } from 'lapidary'
import { noSuchProduct, unavailable } from './errors.ts'
import { Product } from './schemas.ts'

export const products = prefix('/products', {
  ...collection(Product, { param: 'productid', one: 'product', all: 'products', errors: [unavailable], etag: 'optional' }),
  create: endpoint('POST /', {
    summary: 'Adds a product, under the identifier that its client gives it.',
    body: Product,
    response: created({ headers: { Location: text({ description: 'The path of the new product.', examples: ['/products/4'] }) } }),
    errors: [reply(409, undefined, { description: 'There is a product with this identifier already.' }), unavailable],
    examples: { body: { productId: 4, name: 'Prism' } },
  }),
  replace: endpoint('PUT /:productid', {
    summary: 'Replaces a product.',
    params: { productid: int({ description: 'The identifier of the product.', examples: [1] }) },
    body: Product,
    response: noContent,
    etag: 'optional',
    errors: [noSuchProduct, reply(409, undefined, { description: 'The identifier in the body is not the one in the path.' }), unavailable],
    examples: { body: { productId: 1, name: 'Prism' } },
  }),
})
