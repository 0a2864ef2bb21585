import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('agent-orders', import.meta.glob('./agent-orders.*.json', { eager: true, import: 'default' }))
