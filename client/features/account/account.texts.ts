import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('account', import.meta.glob('./account.*.json', { eager: true, import: 'default' }))
