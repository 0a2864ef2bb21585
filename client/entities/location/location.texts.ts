import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('location', import.meta.glob('./location.*.json', { eager: true, import: 'default' }))
