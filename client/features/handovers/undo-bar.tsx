import { useState } from 'react'
import { useKeptBags } from '#client/entities/handover/kept-bags.ts'
import {
  groupsOf,
  isHandover,
  nextStep,
  type OutboxEntry,
  secondsToUndo,
  undoEnd,
} from '#client/entities/handover/outbox.rules.ts'
import { dismissRefusal } from '#client/entities/handover/outbox.ts'
import { type Outbox, useOutbox } from '#client/entities/handover/use-outbox.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import { classes } from '#client/ui/classes.ts'
import { focusPlace } from '#client/ui/focus.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { useSettling } from '#client/ui/use-settling.ts'
import { type Bag, bagOf } from './bag-check.rules.ts'
import { canBeUndone, useRefusalText, useUndoLabel } from './confirmations.tsx'
import styles from './handovers.module.css'

/** The result of the last bag, with its undo, at the bottom edge. A refusal by the server takes precedence. */
export function UndoBar({ agentId }: { readonly agentId: number }) {
  const outbox = useOutbox(agentId)
  const orderOf = useKeptBags(agentId)
  const now = useNow(1_000, undoEnd(outbox.entries))
  const { refused, waiting, recorded } = groupsOf(outbox.entries)
  const undone = useUndone(outbox.entries)
  const last = [...waiting, ...recorded.filter((entry) => secondsToUndo(entry, now) !== 0)].toSorted(
    (a, b) => b.receivedAt - a.receivedAt,
  )[0]
  const isUndone = undone !== undefined && undone.receivedAt > (last?.receivedAt ?? 0)
  const entry = refused[0] ?? (isUndone ? undone : last)
  const order = entry && orderOf(entry.awb)
  const bag = entry && order && bagOf(order, entry.awb)
  const text = entry && (
    <BarText entry={entry} textKey={entry === undone ? 'undone' : textKeyOf(entry)} bag={bag} />
  )
  // A confirmation that is being sent is reported once: when it has arrived, or when it has failed.
  const isUnderWay =
    entry !== undefined && entry !== undone && nextStep(entry) !== 'rest' && outbox.outcome === 'done'
  return (
    <div
      ref={focusPlace}
      className={
        entry && classes(layout.split, layout.gap2, styles.bar, entry.refusal ? styles.barRefused : undefined)
      }
      data-screen
    >
      {/* The phone's own copy of the picture, for as long as the undo is offered. */}
      {entry?.preview === undefined ? null : <img className={styles.barPhoto} src={entry.preview} alt="" />}
      {/* The live region exists before its text, so that the text is announced; the clock next to it is not. */}
      <p
        tabIndex={-1}
        data-start
        data-unringed
        role="status"
        className={isUnderWay ? 'visually-hidden' : styles.barText}
      >
        {isUnderWay ? null : text}
      </p>
      {isUnderWay ? (
        <p className={styles.barText} aria-hidden="true">
          {text}
        </p>
      ) : null}
      {entry === undefined || entry === undone ? null : (
        <BarButton
          key={entry.id}
          entry={entry}
          named={bag?.name ?? entry.awb}
          left={secondsToUndo(entry, now)}
          outbox={outbox}
        />
      )}
    </div>
  )
}

/** The confirmation that was undone last. An earlier confirmation that can still be undone does not replace it. */
function useUndone(entries: readonly OutboxEntry[]): OutboxEntry | undefined {
  const [seen, setSeen] = useState<OutboxEntry>()
  const undoing = entries.find(({ isUndone }) => isUndone)
  const kept = entries.find(({ id }) => id === seen?.id)
  if (undoing !== undefined && undoing.id !== seen?.id) setSeen(undoing)
  // The server has refused the undo.
  else if (kept?.isUndone === false) setSeen(undefined)
  return kept === undefined && undoing === undefined ? seen : undefined
}

interface BarTextProps {
  readonly entry: OutboxEntry
  readonly textKey: 'undone' | ReturnType<typeof textKeyOf>
  readonly bag: Bag | undefined
}

/** Begins with the last four digits, which the agent has just typed or scanned. */
function BarText({ entry, textKey, bag }: BarTextProps) {
  const { t } = useTranslation('handovers')
  const whyOf = useRefusalText()
  const isReceived = textKey === 'received' || textKey === 'kept'
  const icon = entry.refusal ? 'cross' : isReceived ? 'tick' : undefined
  return (
    <>
      <span className={styles.barNumber}>
        {icon === undefined ? null : <Icon name={icon} />}
        <Ltr>{entry.awb.slice(-4)}</Ltr>{' '}
      </span>
      {entry.refusal ? null : <span>{`${t(`bar.${textKey}`)} `}</span>}
      {bag?.name ? <bdi>{bag.name}</bdi> : <Ltr>{entry.awb}</Ltr>}
      {entry.refusal ? <span className={styles.why}>{whyOf(entry.refusal)}</span> : null}
    </>
  )
}

interface BarButtonProps {
  readonly entry: OutboxEntry
  readonly named: string
  readonly left: number | undefined
  readonly outbox: Outbox
}

function BarButton({ entry, named, left, outbox }: BarButtonProps) {
  const { t } = useTranslation('handovers')
  const undoLabelOf = useUndoLabel()
  // The button appears in a place where the agent may just have pressed Confirm: it ignores presses for a moment.
  const settling = useSettling()
  const press = entry.refusal
    ? {
        'aria-label': t('kept.dismissOf', { bag: named }),
        children: t('kept.dismiss'),
        onClick: () => void dismissRefusal(entry.id),
      }
    : { ...undoLabelOf(named, left), onClick: () => void outbox.undo(entry.id) }
  return entry.refusal || canBeUndone(entry) ? (
    <div {...settling}>
      <button type="button" className={styles.barButton} {...press} />
    </div>
  ) : null
}

function textKeyOf(entry: OutboxEntry) {
  if (!isHandover(entry)) return 'notAccepted'
  if (entry.isUndone) return 'undoing'
  return nextStep(entry) === 'rest' ? 'received' : 'kept'
}
