import { formatMoney } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'

/** An amount by itself. A browser that translates the page leaves it as it is. */
export function Money({ halalas }: { readonly halalas: number }) {
  return <bdi translate="no">{formatMoney(halalas, useLanguage())}</bdi>
}
