import type { Texts } from '#client/platform/catalogues.ts'
import { addCatalogues } from '#client/platform/i18n.ts'

addCatalogues(
  'desk',
  // With the names of an order's states, which are the same for its owner.
  import.meta.glob<Texts>(['./**/*.*.json', '../platform/*.*.json', '../entities/order/order-card.*.json'], {
    import: 'default',
  }),
)
