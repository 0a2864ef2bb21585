import {
  groupsOf,
  isHandover,
  nextStep,
  type OutboxEntry,
  type Refusal,
  secondsToUndo,
  undoEnd,
} from '#client/entities/handover/outbox.rules.ts'
import { dismissRefusal } from '#client/entities/handover/outbox.ts'
import type { Outbox } from '#client/entities/handover/use-outbox.ts'
import { formatClock } from '#client/platform/format.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useNow } from '#client/platform/time.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { focusPlace } from '#client/ui/focus.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { Note } from '#client/ui/note.tsx'
import textStyles from '#client/ui/text.module.css'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { bagOf } from './bag-check.rules.ts'
import styles from './handovers.module.css'

interface ConfirmationsProps {
  readonly outbox: Outbox
  /** Finds the order of a bag among the data on this device. */
  readonly orderOf: (awb: string) => Order | undefined
}

/** The agent's confirmations: received bags, which wait to be sent or can be undone, and apart from them bags that were not. */
export function Confirmations({ outbox, orderOf }: ConfirmationsProps) {
  const { t } = useTranslation('handovers')
  const now = useNow(1_000, undoEnd(outbox.entries))
  const groups = groupsOf(outbox.entries)
  const recorded = groups.recorded.filter((entry) => secondsToUndo(entry, now) !== 0)
  // An undo that was refused leaves the bag received.
  const isNotTaken = (entry: OutboxEntry) => !isHandover(entry) || entry.refusal?.step === 'record'
  const all = [...groups.refused, ...groups.waiting, ...recorded]
  const notTaken = all.filter(isNotTaken)
  const received = all.filter((entry) => !isNotTaken(entry))
  const listed = (entries: readonly OutboxEntry[]) => (
    <ul>
      {entries.map((entry) => (
        <Confirmation
          key={entry.id}
          entry={entry}
          order={orderOf(entry.awb)}
          now={now}
          onUndo={outbox.undo}
        />
      ))}
    </ul>
  )
  return (
    <>
      {notTaken.length === 0 ? null : (
        <section className={`${layout.grid} ${layout.gap3}`} aria-labelledby="not-taken-title">
          <h2 id="not-taken-title">{t('kept.notTaken')}</h2>
          {listed(notTaken)}
        </section>
      )}
      <section ref={focusPlace} className={`${layout.grid} ${layout.gap3}`} aria-labelledby="kept-title">
        <h2 id="kept-title" tabIndex={-1} data-start data-unringed>
          {t('kept.title')}
        </h2>
        <WaitingNote count={groups.waiting.length} outcome={outbox.outcome} onSend={outbox.send} />
        {received.length === 0 ? <p className={textStyles.quiet}>{t('kept.empty')}</p> : listed(received)}
      </section>
    </>
  )
}

interface WaitingNoteProps {
  readonly count: number
  readonly outcome: Outbox['outcome']
  readonly onSend: () => Promise<void>
}

function WaitingNote({ count, outcome, onSend }: WaitingNoteProps) {
  const { t } = useTranslation('handovers')
  const reason = count > 0 && outcome !== 'done' ? outcome : null
  return (
    <>
      {/* The live region exists before its text, so that the text is announced. */}
      <div role="status">
        {count === 0 ? null : (
          <Note tone="pending" icon="clock">
            <span>
              <strong>{t('kept.waiting', { count })}</strong>
              {reason === null ? null : <span className={styles.why}>{t(`kept.${reason}`)}</span>}
            </span>
          </Note>
        )}
      </div>
      {reason === 'signed-out' ? (
        <ButtonLink isWide href={paths.agentAuthThen(paths.agentScan)}>
          {t('kept.signIn')}
        </ButtonLink>
      ) : null}
      {reason === 'unreachable' ? (
        <Button isWide onClick={() => void onSend()}>
          {t('kept.send')}
        </Button>
      ) : null}
    </>
  )
}

export interface ConfirmationProps {
  readonly entry: OutboxEntry
  /** The order of the bag, if this device knows it. */
  readonly order: Order | undefined
  readonly now: number
  readonly onUndo: (id: string) => Promise<void>
}

export function Confirmation({ entry, order, now, onUndo }: ConfirmationProps) {
  const { t } = useTranslation('handovers')
  const whyOf = useRefusalText()
  const undoLabelOf = useUndoLabel()
  const { id, awb, refusal } = entry
  const name = order && bagOf(order, awb).name
  const named = name ?? awb

  return (
    <li className={classes(layout.split, layout.gap2, styles.kept, refusal !== null && styles.keptRefused)}>
      <div className={styles.keptFacts}>
        <p className={`${layout.line} ${layout.gap2} ${styles.keptState}`}>
          <Icon name={iconOf(entry)} />
          <strong>{t(`kept.${stateKeyOf(entry)}`)}</strong>
        </p>
        {name ? (
          <p>
            <strong>
              <bdi>{name}</bdi>
            </strong>
          </p>
        ) : null}
        <p className={styles.keptAwb}>
          <Ltr>{awb}</Ltr>
        </p>
        {refusal === null ? null : <p role="alert">{whyOf(refusal)}</p>}
      </div>
      {canBeUndone(entry) ? (
        <Button onClick={() => void onUndo(id)} {...undoLabelOf(named, secondsToUndo(entry, now))} />
      ) : null}
      {refusal === null ? null : (
        <Button aria-label={t('kept.dismissOf', { bag: named })} onClick={() => void dismissRefusal(id)}>
          {t('kept.dismiss')}
        </Button>
      )}
    </li>
  )
}

export const canBeUndone = (entry: OutboxEntry): boolean =>
  isHandover(entry) && entry.refusal === null && !entry.isUndone

/** The reason of the server's refusal, in our words if we have a text for it. */
export function useRefusalText() {
  const { t } = useTranslation('handovers')
  return ({ code, message }: Refusal) => t(`kept.refusal.${code}`, { defaultValue: message })
}

/**
 * The texts of a button that undoes the hand-over of a bag. `seconds`: the remaining time; `undefined` before the confirmation
 * was sent.
 */
export function useUndoLabel() {
  const { t } = useTranslation('handovers')
  return (bag: string, seconds: number | undefined) => {
    if (seconds === undefined)
      return { 'aria-label': t('kept.undoWaiting', { bag }), children: t('kept.undo') }
    const left = formatClock(seconds)
    return {
      'aria-label': t('kept.undoOf', { bag, left }),
      children: t('kept.undoLeft', { left }),
    }
  }
}

function iconOf(entry: OutboxEntry): IconName {
  if (entry.refusal !== null) return 'cross'
  if (nextStep(entry) !== 'rest') return 'clock'
  return isHandover(entry) ? 'tick' : 'cross'
}

export function stateKeyOf(entry: OutboxEntry) {
  if (entry.refusal !== null) {
    return entry.refusal.step === 'undo' ? 'recorded' : 'refused'
  }
  if (entry.isUndone) return 'undoing'
  if (nextStep(entry) !== 'rest') return 'sending'
  return isHandover(entry) ? 'recorded' : 'notAccepted'
}
