import { registerTexts } from '#client/platform/i18n.ts'

registerTexts('handovers', import.meta.glob('./handovers.*.json', { eager: true, import: 'default' }))
