import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('silence-note', import.meta.glob('./silence-note.*.json', { eager: true, import: 'default' }))
