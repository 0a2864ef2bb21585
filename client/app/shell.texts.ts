import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('shell', import.meta.glob('./shell.*.json', { eager: true, import: 'default' }))
