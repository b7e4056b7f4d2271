import { webhook } from 'lapidary'

export const paid = webhook('order.paid', { summary: 'An order is paid.' })
