import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('track', import.meta.glob('./track.*.json', { eager: true, import: 'default' }))
