import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('sessions', import.meta.glob('./sessions.*.json', { eager: true, import: 'default' }))
