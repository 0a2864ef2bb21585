import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('order-card', import.meta.glob('./order-card.*.json', { eager: true, import: 'default' }))
