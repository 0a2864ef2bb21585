import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('cancel-order', import.meta.glob('./cancel-order.*.json', { eager: true, import: 'default' }))
