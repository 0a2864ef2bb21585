import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('payment', import.meta.glob('./payment.*.json', { eager: true, import: 'default' }))
