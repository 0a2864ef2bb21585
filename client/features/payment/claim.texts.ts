import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('claim', import.meta.glob('./claim.*.json', { eager: true, import: 'default' }))
