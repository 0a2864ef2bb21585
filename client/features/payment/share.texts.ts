import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('share', import.meta.glob('./share.*.json', { eager: true, import: 'default' }))
