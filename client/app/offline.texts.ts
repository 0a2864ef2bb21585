import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('offline', import.meta.glob('./offline.*.json', { eager: true, import: 'default' }))
