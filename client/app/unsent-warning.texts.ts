import { registerTexts } from '#client/platform/i18n.ts'

registerTexts(
  'unsent-warning',
  import.meta.glob('./unsent-warning.*.json', { eager: true, import: 'default' }),
)
