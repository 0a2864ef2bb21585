import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('ui', import.meta.glob('./ui.*.json', { eager: true, import: 'default' }))
