/** Handlers of the products. Clients choose their identifiers. */
import { errors, withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { main } from '../api.ts'
import type { Store } from '../store/store.ts'

const noProduct = (id: number): Error => errors.notFound({ detail: `There is no product ${id}.` })

export function productHandlers({ products: store }: Store): Handlers<typeof main>['products'] {
  return {
    list: () => store.all(),
    create: async ({ body }) => {
      const { productId: productid } = body
      if (!(await store.add(body)))
        throw errors.conflict({ detail: `There is a product ${productid} already. Replace it with PUT, or choose another productId.` })
      return withHeaders(undefined, { Location: link(main.products.item, { params: { productid } }) })
    },
    item: async ({ params }) => {
      const product = await store.find(params.productid)
      if (product === undefined) throw noProduct(params.productid)
      return product
    },
    replace: async ({ params, body, precondition }) => {
      if (body.productId !== params.productid) {
        throw errors.conflict({
          detail: `The path names product ${params.productid}, the body product ${body.productId}. Send the same productId in both.`,
        })
      }
      if (!(await store.replace(body, precondition))) throw noProduct(params.productid)
    },
    remove: async ({ params, precondition }) => {
      if (!(await store.remove(params.productid, precondition))) throw noProduct(params.productid)
    },
  }
}
