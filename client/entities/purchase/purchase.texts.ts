import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('purchase', import.meta.glob('./purchase.*.json', { eager: true, import: 'default' }))
