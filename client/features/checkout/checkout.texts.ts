import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('checkout', import.meta.glob('./checkout.*.json', { eager: true, import: 'default' }))
