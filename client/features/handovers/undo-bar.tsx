import { useTranslation } from 'react-i18next'
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
import { useNow } from '#client/platform/time.ts'
import { classes } from '#client/ui/classes.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { type Bag, bagOf } from './bag-check.rules.ts'
import { canBeUndone, useRefusalText, useUndoLabel } from './confirmations.tsx'
import styles from './handovers.module.css'

/** At the bottom edge of the list: what became of the last bag, with its undo. What the server refused comes first. */
export function UndoBar({ agentId }: { readonly agentId: number }) {
  const outbox = useOutbox(agentId)
  const orderOf = useKeptBags(agentId)
  const now = useNow(1_000, undoEnd(outbox.entries))
  const { refused, waiting, recorded } = groupsOf(outbox.entries)
  const last = [...waiting, ...recorded.filter((entry) => secondsToUndo(entry, now) !== 0)].toSorted(
    (a, b) => b.receivedAt - a.receivedAt,
  )[0]
  const entry = refused[0] ?? last
  const order = entry && orderOf(entry.awb)
  const bag = entry && order && bagOf(order, entry.awb)
  return (
    <div className={classes(entry && styles.bar, entry?.refusal ? styles.barRefused : undefined)} data-screen>
      {/* Exists before its text, which is then announced; the clock beside it is not. */}
      <p role="status" className={styles.barText}>
        {entry === undefined ? null : <BarText entry={entry} bag={bag} />}
      </p>
      {entry === undefined ? null : (
        <BarButton
          entry={entry}
          named={bag?.name ?? entry.awb}
          left={secondsToUndo(entry, now)}
          outbox={outbox}
        />
      )}
    </div>
  )
}

function BarText({ entry, bag }: { readonly entry: OutboxEntry; readonly bag: Bag | undefined }) {
  const { t } = useTranslation('handovers')
  const whyOf = useRefusalText()
  return (
    <>
      {entry.refusal ? null : `${t(`bar.${textKeyOf(entry)}`)} `}
      {bag?.name ? (
        <>
          <bdi>{bag.name}</bdi> <Ltr>{bag.last}</Ltr>
        </>
      ) : (
        <Ltr>{entry.awb}</Ltr>
      )}
      {entry.refusal ? <span className={styles.barWhy}>{whyOf(entry.refusal)}</span> : null}
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
  if (entry.refusal)
    return (
      <button
        type="button"
        className={styles.barButton}
        aria-label={t('kept.dismissOf', { bag: named })}
        onClick={() => void dismissRefusal(entry.id)}
      >
        {t('kept.dismiss')}
      </button>
    )
  if (!canBeUndone(entry)) return null
  return (
    <button
      type="button"
      className={styles.barButton}
      onClick={() => void outbox.undo(entry.id)}
      {...undoLabelOf(named, left)}
    />
  )
}

function textKeyOf(entry: OutboxEntry) {
  if (!isHandover(entry)) return 'notAccepted'
  if (entry.isUndone) return 'undoing'
  return nextStep(entry) === 'rest' ? 'received' : 'kept'
}
