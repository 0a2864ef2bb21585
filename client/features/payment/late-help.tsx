import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { TermsText } from '#client/entities/purchase/terms-text.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useIsTold } from '#client/session/use-is-told.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import textStyles from '#client/ui/text.module.css'
import styles from './pass-leg.module.css'

/** The page says that we look for a late bag. It promises a message only to those who get messages. */
export function LateWords() {
  const { t } = useTranslation('late')
  return <p className={styles.said}>{t(useIsTold() ? 'askingTold' : 'asking')}</p>
}

interface LateHelpProps {
  /** SAR that were promised for a lost bag. */
  readonly lostSar: number | undefined
  /** The server cannot be reached: nothing can be reported. */
  readonly isCutOff: boolean
}

/** What the owner of a late bag can do, and what is paid for a bag that is not found, where that is said. */
export function LateHelp({ lostSar, isCutOff }: LateHelpProps) {
  const { t } = useTranslation('late')
  const paid = usePaidIfLost(lostSar)
  if (isCutOff && paid === undefined) return null
  return (
    <section className={styles.next}>
      <h2 className={styles.nextTitle}>{t('may')}</h2>
      <ul className={styles.bring}>
        {isCutOff ? null : (
          <Row icon="alert" name={t('report')}>
            {t('answer')}
          </Row>
        )}
        {paid === undefined ? null : (
          <Row icon="receipt" name={t('ifLost')}>
            {paid}
          </Row>
        )}
      </ul>
    </section>
  )
}

/** The figure that was promised, else what the operator says of a lost bag. */
function usePaidIfLost(lostSar: number | undefined): ReactNode {
  const { t } = useTranslation('late')
  const language = useLanguage()
  const liability = useQuery(configQuery).data?.purchase.liability
  return lostSar === undefined ? (
    liability?.[language]
  ) : (
    <TermsText text={t('paid', { amount: lostSar })} name={t('terms')} />
  )
}

interface RowProps {
  readonly icon: IconName
  readonly name: string
  readonly children: ReactNode
}

function Row({ icon, name, children }: RowProps) {
  return (
    <li>
      <Icon name={icon} />
      <p>
        <strong>{name}</strong> <span className={`${styles.said} ${textStyles.quiet}`}>{children}</span>
      </p>
    </li>
  )
}
