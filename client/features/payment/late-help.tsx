import type { ReactNode } from 'react'
import { TermsText } from '#client/entities/purchase/terms-text.tsx'
import { formatWholeRiyals } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useIsTold } from '#client/session/use-is-told.ts'
import type { IconName } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import textStyles from '#client/ui/text.module.css'
import { answerDays } from '#shared/claims/claims.operations.ts'
import { IconItem } from './next-steps.tsx'
import styles from './pass-leg.module.css'

/** The page says that we look for a late bag. It promises a message only to users who get messages. */
export function LateWords() {
  const { t } = useTranslation('late')
  return <p>{t(useIsTold() ? 'askingTold' : 'asking')}</p>
}

interface LateHelpProps {
  /** The promised amount for a lost bag, in SAR. */
  readonly lostSar: number | undefined
  /** The server cannot be reached: the owner cannot report a bag. */
  readonly isCutOff: boolean
}

/** The actions of the owner of a late bag, and the promised amount for a lost bag, if there is one. */
export function LateHelp({ lostSar, isCutOff }: LateHelpProps) {
  const { t } = useTranslation('late')
  const language = useLanguage()
  if (isCutOff && lostSar === undefined) return null
  return (
    <section className={styles.next}>
      <h2 className={styles.nextTitle}>{t('may')}</h2>
      <ul className={`${layout.stack} ${layout.gap3}`}>
        {isCutOff ? null : (
          <Row icon="alert" name={t('report')}>
            {t('answer', { count: answerDays })}
          </Row>
        )}
        {lostSar === undefined ? null : (
          <Row icon="receipt" name={t('ifLost')}>
            <TermsText text={t('paid', { amount: formatWholeRiyals(lostSar, language) })} name={t('terms')} />
          </Row>
        )}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly icon: IconName
  readonly name: string
  readonly children: ReactNode
}

function Row({ icon, name, children }: RowProps) {
  return (
    <IconItem icon={icon}>
      <div>
        <strong>{name}</strong>
        <p className={textStyles.hint}>{children}</p>
      </div>
    </IconItem>
  )
}
