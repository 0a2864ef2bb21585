import type { ResourceLanguage } from 'i18next'
import { addCatalogues } from '#client/platform/i18n.ts'

addCatalogues(
  'desk',
  import.meta.glob<ResourceLanguage>(['./**/*.*.json', '../platform/*.*.json'], { import: 'default' }),
)
