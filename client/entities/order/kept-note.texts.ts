import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('kept-note', import.meta.glob('./kept-note.*.json', { eager: true, import: 'default' }))
