import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('awb', import.meta.glob('./awb.*.json', { eager: true, import: 'default' }))
