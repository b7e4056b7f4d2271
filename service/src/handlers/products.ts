/** Handlers of the products. Clients choose their identifiers. */
import { withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { main } from '../api.ts'
import type { Store } from '../store/store.ts'

const noProduct = (id: number) => ({ detail: `There is no product ${id}.` })

export function productHandlers({ products: store }: Store): Handlers<typeof main>['products'] {
  return {
    list: () => store.all(),
    create: async ({ body, fail }) => {
      const { productId: productid } = body
      if (!(await store.add(body)))
        fail(409, { detail: `There is a product ${productid} already. Replace it with PUT, or choose another productId.` })
      return withHeaders(undefined, { Location: link(main.products.item, { params: { productid } }) })
    },
    item: async ({ params: { productid: id }, fail }) => (await store.find(id)) ?? fail(404, noProduct(id)),
    replace: async ({ params: { productid: id }, body, precondition, fail }) => {
      if (body.productId !== id)
        fail(409, { detail: `The path names product ${id}, the body product ${body.productId}. Send the same productId in both.` })
      if (!(await store.replace(body, precondition))) fail(404, noProduct(id))
    },
    remove: async ({ params: { productid: id }, precondition, fail }) => {
      if (!(await store.remove(id, precondition))) fail(404, noProduct(id))
    },
  }
}
