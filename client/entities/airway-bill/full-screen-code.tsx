import { type CSSProperties, type ReactNode, type TouchEvent, useRef } from 'react'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useWakeLock } from '#client/platform/wake-lock.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Overlay } from '#client/ui/overlay.tsx'
import { cityName } from '#shared/platform/city-names.ts'
import { languages } from '#shared/platform/language.ts'
import { AwbCode } from './barcode.tsx'
import styles from './full-screen-code.module.css'

interface FullScreenCodeProps {
  readonly awb: string
  readonly orderNumber: ReactNode
  /** In English, as the partner names it. */
  readonly city: string | undefined
  readonly receiver?: string | undefined
  readonly onClose: () => void
  /** Its place among several barcodes. */
  readonly others?: Others | undefined
}

interface Others {
  /** From 1. */
  readonly number: number
  readonly total: number
  readonly onTurn: (by: 1 | -1) => void
}

/** The barcode alone on a white screen that stays on, for the scanner at the counter. */
export function FullScreenCode({ awb, orderNumber, city, receiver, onClose, others }: FullScreenCodeProps) {
  const { t } = useTranslation('awb')
  const language = useLanguage()
  const isLit = useWakeLock()
  const swipe = useSwipe(others?.onTurn)
  return (
    <Overlay kind="full" title={t('full.title')} isBare className={styles.codeFull} onClose={onClose}>
      <div className={`${layout.split} ${layout.gap4} ${styles.head}`}>
        <button type="button" className={`${layout.line} ${layout.gap2} ${styles.close}`} onClick={onClose}>
          <Icon name="cross" />
          {t('full.close')}
        </button>
        <span>{orderNumber}</span>
      </div>
      {/* First: at any size of text the scanner finds bars and number on the screen. */}
      <div className={styles.code} {...swipe}>
        <AwbCode awb={awb} />
      </div>
      <div className={styles.whose}>
        {receiver ? <ReceiverName name={receiver} /> : null}
        {city === undefined ? null : (
          <p className={`${layout.cluster} ${layout.gap3} ${styles.to}`}>
            <CityBlock city={city} />
            <span>{cityName(city, language)}</span>
          </p>
        )}
      </div>
      {others === undefined ? null : <Turning {...others} />}
      <div className={`${layout.grid} ${styles.spare}`}>
        <p className={`${layout.line} ${layout.gap2} ${styles.note}`}>
          <Icon name={isLit ? 'tick' : 'alert'} />
          <span>{t(isLit ? 'full.lit' : 'full.bright')}</span>
        </p>
      </div>
    </Overlay>
  )
}

/** Broken between words only: the letters are smaller where a word is longer than the screen is wide. */
function ReceiverName({ name }: { readonly name: string }) {
  const letters = Math.max(...name.split(/\s+/).map((word) => [...word].length))
  return (
    <p className={styles.name} style={{ '--letters': letters } as CSSProperties}>
      <bdi>{name}</bdi>
    </p>
  )
}

/** Leads to the barcodes before and after it. A button that leads nowhere keeps its place and the focus. */
function Turning({ number, total, onTurn }: Others) {
  const { t } = useTranslation('awb')
  return (
    <div className={`${layout.split} ${styles.turning}`}>
      <button
        type="button"
        className={styles.turn}
        aria-disabled={number === 1}
        onClick={number === 1 ? undefined : () => onTurn(-1)}
      >
        {t('full.previous')}
      </button>
      <span role="status">{t('full.place', { number, total })}</span>
      <button
        type="button"
        className={styles.turn}
        aria-disabled={number === total}
        onClick={number === total ? undefined : () => onTurn(1)}
      >
        {t('full.next')}
      </button>
    </div>
  )
}

/** A shorter movement of the finger is none. */
const leastSwipePx = 48

/** Turns by a finger that moves sideways: against the direction of reading to the next one. */
function useSwipe(onTurn: ((by: 1 | -1) => void) | undefined) {
  const language = useLanguage()
  const start = useRef<{ x: number; y: number }>(undefined)
  if (onTurn === undefined) return {}
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches.length === 1 ? touches[0] : undefined
      start.current = touch && { x: touch.clientX, y: touch.clientY }
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (touch === undefined || start.current === undefined) return
      const right = touch.clientX - start.current.x
      const down = touch.clientY - start.current.y
      start.current = undefined
      if (Math.abs(right) < leastSwipePx || Math.abs(right) < Math.abs(down)) return
      const isForward = languages[language].direction === 'rtl' ? right > 0 : right < 0
      onTurn(isForward ? 1 : -1)
    },
  }
}
