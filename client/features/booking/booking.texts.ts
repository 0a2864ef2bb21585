import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('booking', import.meta.glob('./booking.*.json', { eager: true, import: 'default' }))
