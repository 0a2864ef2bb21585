import locationStyles from '#client/entities/location/location.module.css'
import { PhoneLink } from '#client/entities/location/location.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { EmailText } from '#client/ui/contact-text.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import type { OrderRefund } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { formatRiyals } from '#shared/platform/money.ts'
import styles from './refund-note.module.css'

interface RefundNoteProps {
  readonly refund: OrderRefund
}

const tones = { pending: 'pending', done: undefined, 'needs-help': 'error' } as const

/** A refund: amount, reason and next step. */
export function RefundNote({ refund: { state, amount, currency, reason } }: RefundNoteProps) {
  const { t } = useTranslation('refund-note')
  const language = useLanguage()
  const halalas = Math.round(amount * 100)
  // An amount in another currency is shown with its code; Unicode isolates keep number and code in order.
  const said =
    currency === undefined
      ? formatMoney(halalas, language)
      : `\u2066${formatRiyals(halalas)}\u00a0${currency}\u2069`
  return (
    <Note
      tone={tones[state]}
      className={classes(layout.stack, styles.refund, state === 'done' && styles.done)}
    >
      <p className={styles.title}>{t(`title.${state}`, { amount: said })}</p>
      <p>{`${t(`reason.${reason}`, { amount: said })} ${t(`text.${state}`)}`}</p>
      {state === 'needs-help' ? (
        <p className={`${layout.cluster} ${locationStyles.links}`}>
          <PhoneLink phone={brand.contact.phone} />
          <a className={locationStyles.link} href={`mailto:${brand.contact.email}`} data-screen>
            <EmailText>{brand.contact.email}</EmailText>
          </a>
        </p>
      ) : null}
    </Note>
  )
}
