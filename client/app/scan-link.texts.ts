import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('scan-link', import.meta.glob('./scan-link.*.json', { eager: true, import: 'default' }))
