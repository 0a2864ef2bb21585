import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { PhoneLink } from '#client/entities/location/location.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Fact } from '#client/ui/fact.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { Money } from '#client/ui/money.tsx'
import textStyles from '#client/ui/text.module.css'
import { includedVat } from '#shared/checkout/checkout.rules.ts'
import { brand } from '#shared/platform/brand.ts'
import { CardMark } from './card-mark.tsx'
import styles from './purchase.module.css'
import { TermsText } from './terms-text.tsx'

/** The accepted cards: a mark that is known by sight, else the name. */
export function CardMarks() {
  const { t } = useTranslation('purchase')
  const { cards } = useLoadedConfig().purchase
  return (
    <ul className={`${layout.cluster} ${layout.gap2}`} aria-label={t('cards')}>
      {cards.map((card) => (
        <li key={card} className={styles.cardMark}>
          <CardMark card={card} />
        </li>
      ))}
    </ul>
  )
}

interface TotalPriceProps {
  readonly name: string
  readonly halalas: number
}

/** A total with the VAT it includes; a seller not registered for VAT may not state any. */
export function TotalPrice({ name, halalas }: TotalPriceProps) {
  const { seller } = useLoadedConfig().purchase
  return (
    <div className={`${layout.grid} ${styles.totalPrice}`}>
      <p>{name}</p>
      <p className={styles.totalPriceAmount}>
        <Money halalas={halalas} />
      </p>
      {seller.vatNumber === undefined ? null : <IncludedVat halalas={halalas} />}
    </div>
  )
}

function IncludedVat({ halalas }: Pick<TotalPriceProps, 'halalas'>) {
  const { t } = useTranslation('purchase')
  const language = useLanguage()
  return <p className={textStyles.hint}>{t('vat', { vat: formatMoney(includedVat(halalas), language) })}</p>
}

/** What paying accepts, with a link to read it. */
export function AcceptedTerms({ className }: { readonly className: string | undefined }) {
  const language = useLanguage()
  const text = useLoadedConfig().purchase.terms[language]
  return (
    <p className={className}>
      <TermsText text={text} name={brand.termsName[language]} />
    </p>
  )
}

/** The seller's tax details, marked where they are examples. */
export function SellerFacts() {
  const { t } = useTranslation('purchase')
  const { seller } = useLoadedConfig().purchase
  const known = (['vatNumber', 'registrationNumber'] as const).filter((fact) => seller[fact] !== undefined)
  if (known.length === 0) return null
  return (
    <dl className={`${layout.cluster} ${textStyles.hint} ${textStyles.pairs} ${styles.sellerFacts}`}>
      {known.map((fact) => (
        <Fact key={fact} name={t(fact)}>
          <Ltr>{seller[fact]}</Ltr>
          {seller.isExample ? <span> ({t('example')})</span> : null}
        </Fact>
      ))}
    </dl>
  )
}

/** The phone of our support. */
export function HelpLine({ phone }: { readonly phone: string }) {
  const { t } = useTranslation('purchase')
  return (
    <p className={`${layout.cluster} ${styles.helpLine}`}>
      {t('help')} <PhoneLink phone={phone} />
    </p>
  )
}
