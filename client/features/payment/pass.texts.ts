import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('pass', import.meta.glob('./pass.*.json', { eager: true, import: 'default' }))
