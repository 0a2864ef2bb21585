import { Button, type ButtonProps, Flex } from 'antd'
import { type FocusEvent, useEffect, useRef } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { formatAgo } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { durationText } from '#shared/platform/duration.ts'
import { isolated } from '../isolated.ts'
import { linkOfRow } from '../keys.ts'
import { Letter } from '../letter.tsx'
import type { RowActs } from './row-acts.tsx'
import styles from './work.module.css'
import { pressOf } from './work.rules.ts'

/** The holder of a row, and the buttons to take, release or hand it over. */
export function Holder({ row, now, acts }: { row: WorkRow; now: number; acts: RowActs }) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const isOff = useConnection() === 'offline' || acts.isPending
  const press = pressOf(row)
  const focus = useHeldFocus(`${press} ${isOff}`)
  const { kind, taken } = row
  const button = (text: string, act: (row: WorkRow) => void, type: ButtonProps['type'] = 'text') => (
    <Button size="small" type={type} disabled={isOff} onClick={() => act(row)}>
      {text}
    </Button>
  )
  return (
    <Flex component="span" wrap align="center" gap="4px 8px" className={styles.holder} {...focus}>
      {taken === null ? null : (
        <Letter name={taken.name} isYou={taken.isYou}>
          {taken.isStale && !taken.isYou
            ? t('holder.stale', {
                name: isolated(taken.name),
                time: durationText(now - Date.parse(taken.movedAt), language),
              })
            : t('holder.has', {
                name: taken.isYou ? t('holder.you') : isolated(taken.name),
                ago: formatAgo(now - Date.parse(taken.since), language),
              })}
        </Letter>
      )}
      {press === 'take' ? button(t('take'), acts.take, 'default') : null}
      {press === 'ask' ? button(t('takeOver'), acts.take) : null}
      {press === 'none' ? (
        <>
          {button(t('release'), acts.release)}
          {button(t('hand.open'), acts.hand)}
          {/* Rows of all other lists leave their list by an act. */}
          {kind === 'payments' || kind === 'messages' ? button(t('end.open'), acts.end) : null}
        </>
      ) : null}
    </Flex>
  )
}

/**
 * The browser takes the focus from a button that gets disabled. Then the link of the row gets the focus, so that the keys J and K
 * continue from that row. Without a link, the place of the button gets it.
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
      // When the button is not disabled, the operator has moved the focus.
      if (!target.matches(':disabled')) wasHere.current = false
    },
  }
}
