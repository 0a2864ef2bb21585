import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('journey', import.meta.glob('./journey.*.json', { eager: true, import: 'default' }))
