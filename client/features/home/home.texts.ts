import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('home', import.meta.glob('./home.*.json', { eager: true, import: 'default' }))
