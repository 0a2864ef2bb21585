import { useTranslation } from '#client/platform/i18n.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Fact } from '#client/ui/fact.tsx'
import layout from '#client/ui/layout.module.css'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import styles from './receiver.module.css'

/** The receiver of a bag who is not its owner, and the second phone number. */
export function ReceiverFacts({ named: { receiver, secondPhone } }: { readonly named: NamedReceiver }) {
  const { t } = useTranslation('receiver')
  if (receiver === undefined && secondPhone === undefined) return null
  return (
    <dl className={`${layout.grid} ${layout.gap2} ${styles.facts}`}>
      {receiver === undefined ? null : (
        <Fact name={t('name')}>
          <bdi>{receiver.name}</bdi>
        </Fact>
      )}
      {receiver?.phone === undefined ? null : (
        <Fact name={t('phone')}>
          <PhoneText>{receiver.phone}</PhoneText>
        </Fact>
      )}
      {secondPhone === undefined ? null : (
        <Fact name={t('secondPhone')}>
          <PhoneText>{secondPhone}</PhoneText>
        </Fact>
      )}
    </dl>
  )
}
