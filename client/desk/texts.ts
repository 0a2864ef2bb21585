import type { Texts } from '#client/platform/catalogues.ts'
import { addCatalogues } from '#client/platform/i18n.ts'

addCatalogues(
  'desk',
  // The desk shares the names of an order's states with the owner's app.
  import.meta.glob<Texts>(['./**/*.*.json', '../platform/*.*.json', '../entities/order/order-card.*.json'], {
    import: 'default',
  }),
)
