import type { ReactNode } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useWakeLock } from '#client/platform/wake-lock.ts'
import { Icon } from '#client/ui/icon.tsx'
import { ModalDialog } from '#client/ui/modal-dialog.tsx'
import { useDialogEntry } from '#client/ui/use-dialog-entry.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { AwbCode } from './barcode.tsx'
import styles from './full-screen-code.module.css'

interface FullScreenCodeProps {
  readonly awb: string
  readonly orderNumber: ReactNode
  /** In English, as the partner names it. */
  readonly city: string | undefined
  readonly receiver?: string | undefined
  readonly onClose: () => void
}

/** The barcode alone on a white screen that stays on, for the scanner at the counter. Closed by Escape and Back, too. */
export function FullScreenCode({ awb, orderNumber, city, receiver, onClose }: FullScreenCodeProps) {
  const { t } = useTranslation('awb')
  const language = useLanguage()
  const isLit = useWakeLock()
  useDialogEntry(onClose)
  return (
    <ModalDialog className={styles.codeFull} titled={{ as: t('full.title') }} onClose={onClose}>
      <div className={styles.head}>
        <button type="button" className={styles.close} onClick={onClose}>
          <Icon name="cross" />
          {t('full.close')}
        </button>
        <span>{orderNumber}</span>
      </div>
      {/* First: at any size of text the scanner finds bars and number on the screen. */}
      <div className={styles.code}>
        <AwbCode awb={awb} />
      </div>
      <div className={styles.whose}>
        <CityBlock city={city} />
        <div className={styles.names}>
          {city === undefined ? null : <p className={styles.city}>{cityName(city, language)}</p>}
          {receiver ? (
            <p>
              <bdi>{receiver}</bdi>
            </p>
          ) : null}
        </div>
      </div>
      <p className={styles.note}>
        <Icon name={isLit ? 'tick' : 'alert'} />
        <span>{t(isLit ? 'full.lit' : 'full.bright')}</span>
      </p>
    </ModalDialog>
  )
}
