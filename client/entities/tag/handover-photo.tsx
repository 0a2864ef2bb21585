import { useState } from 'react'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { formatTime, formatWeekdayAndDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Overlay } from '#client/ui/overlay.tsx'
import { readHandoverPhoto } from '#shared/orders/handovers.operations.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import styles from './handover-photo.module.css'

interface HandoverPhotoProps {
  readonly orderId: number
  readonly awb: string
  /** When the picture was taken. */
  readonly takenAt: string
  /** The name of the agent, in Arabic and English. */
  readonly agent: string | undefined
  /** The index of the bag in the order. */
  readonly index: number
}

/** The picture that the agent took of a bag. It hangs on the thread below the torn edge of the tag; a touch shows it whole. */
export function HandoverPhoto(props: HandoverPhotoProps) {
  const { orderId, awb } = props
  const { t } = useTranslation('handover-photo')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles.print}
        aria-label={t('open')}
        onClick={() => setIsOpen(true)}
        data-screen
      >
        <svg className={styles.thread} viewBox="0 0 158 46" aria-hidden="true" focusable="false">
          <path d="M84 -6C88 12 74 20 79 40M88 -6C92 14 84 22 82 40" />
        </svg>
        <i className={styles.eyelet} aria-hidden="true" />
        <img className={styles.small} src={handoverPhotoHref(orderId, awb)} alt={t('alt')} />
        <span>{t('title')}</span>
      </button>
      {isOpen ? <WholePhoto {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

/** The address of the picture of a bag. */
export const handoverPhotoHref = (orderId: number, awb: string) =>
  operationHref(readHandoverPhoto, { id: orderId, awb })

interface WholePhotoProps extends HandoverPhotoProps {
  readonly onClose: () => void
}

/** The whole picture, when and where it was taken, who can see it, and the way to report another bag. */
function WholePhoto({ orderId, awb, takenAt, agent, index, onClose }: WholePhotoProps) {
  const { t } = useTranslation('handover-photo')
  const language = useLanguage()
  const when = t('when', {
    day: formatWeekdayAndDayInBoth(takenAt, language),
    time: formatTime(takenAt, language),
  })
  return (
    <Overlay kind="full" title={t('title')} isBare className={styles.whole} onClose={onClose}>
      <div className={`${layout.split} ${layout.gap4}`}>
        <button
          type="button"
          className={`${layout.line} ${layout.gap2} ${styles.close}`}
          onClick={onClose}
          data-start
        >
          <Icon name="cross" />
          {t('close')}
        </button>
        <OrderNumber orderId={orderId} />
      </div>
      <div className={styles.big}>
        <img src={handoverPhotoHref(orderId, awb)} alt={t('alt')} />
      </div>
      <div>
        <h2 className={styles.title}>{t('title')}</h2>
        <p>
          <time dateTime={takenAt}>{when}</time>
          {agent === undefined ? null : (
            <span>
              {' · '}
              <bdi>{inLanguage(agent, language)}</bdi>
            </span>
          )}
        </p>
        <p>{t('seenBy', { count: retentionDays.handoverPhotos })}</p>
      </div>
      <ButtonLink isWide to={paths.claimNotMine(orderId, index)}>
        {t('notMine')}
      </ButtonLink>
    </Overlay>
  )
}
