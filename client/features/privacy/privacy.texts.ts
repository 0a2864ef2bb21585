import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('privacy', import.meta.glob('./privacy.*.json', { eager: true, import: 'default' }))
