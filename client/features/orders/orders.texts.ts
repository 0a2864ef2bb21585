import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('orders', import.meta.glob('./orders.*.json', { eager: true, import: 'default' }))
