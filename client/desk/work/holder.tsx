import { Button } from 'antd'
import { type FocusEvent, useEffect, useRef } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { durationText } from '#shared/platform/duration.ts'
import { isolated } from '../isolated.ts'
import { linkOfRow } from '../keys.ts'
import { Letter } from '../letter.tsx'
import { formatAgo } from '../times.ts'
import type { RowActs } from './row-acts.tsx'
import styles from './work.module.css'
import { pressOf } from './work.rules.ts'

interface HolderProps {
  readonly row: WorkRow
  readonly now: number
  readonly acts: RowActs
}

/** Who has a row, and what can be done about that. */
export function Holder({ row, now, acts }: HolderProps) {
  const { t } = useTranslation('desk-work')
  const isOff = useConnection() === 'offline' || acts.isPending
  const press = pressOf(row)
  const focus = useHeldFocus(`${press} ${isOff}`)
  // Others leave their list by what is done.
  const isEnded = row.kind === 'payments' || row.kind === 'messages'
  return (
    <span className={styles.holder} {...focus}>
      <HolderName row={row} now={now} />
      {press === 'take' ? (
        <Button size="small" disabled={isOff} onClick={() => acts.take(row)}>
          {t('take')}
        </Button>
      ) : null}
      {press === 'ask' ? (
        <Button size="small" type="text" disabled={isOff} onClick={() => acts.take(row)}>
          {t('takeOver')}
        </Button>
      ) : null}
      {press === 'none' ? (
        <>
          <Button size="small" type="text" disabled={isOff} onClick={() => acts.release(row)}>
            {t('release')}
          </Button>
          <Button size="small" type="text" disabled={isOff} onClick={() => acts.hand(row)}>
            {t('hand.open')}
          </Button>
          {isEnded ? (
            <Button size="small" type="text" disabled={isOff} onClick={() => acts.end(row)}>
              {t('end.open')}
            </Button>
          ) : null}
        </>
      ) : null}
    </span>
  )
}

/**
 * The button that was pressed is off for a moment and then another one, and the browser takes the focus from it: the link of
 * the row has it then, whose keys go on from there; without a link the place of the button.
 */
function useHeldFocus(state: string) {
  const place = useRef<HTMLSpanElement>(null)
  const wasHere = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another state the buttons are others
  useEffect(() => {
    if (!wasHere.current || document.activeElement !== document.body) return
    wasHere.current = false
    const next = linkOfRow(place.current) ?? place.current
    next?.focus({ preventScroll: true })
  }, [state])
  return {
    ref: place,
    tabIndex: -1,
    onFocus: () => {
      wasHere.current = true
    },
    onBlur: ({ target }: FocusEvent) => {
      // Otherwise the person has gone on.
      if (!target.matches(':disabled')) wasHere.current = false
    },
  }
}

/** The name of who has it, and since when. */
function HolderName({ row: { taken }, now }: Pick<HolderProps, 'row' | 'now'>) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  if (taken === null) return null
  const stands = now - Date.parse(taken.movedAt)
  return (
    <span className={styles.who}>
      <Letter name={taken.name} isYou={taken.isYou} />
      <span>
        {taken.isStale && !taken.isYou
          ? t('holder.stale', { name: isolated(taken.name), time: durationText(stands, language) })
          : t('holder.has', {
              name: taken.isYou ? t('holder.you') : isolated(taken.name),
              ago: formatAgo(now - Date.parse(taken.since), language),
            })}
      </span>
    </span>
  )
}
