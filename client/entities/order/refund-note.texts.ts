import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('refund-note', import.meta.glob('./refund-note.*.json', { eager: true, import: 'default' }))
