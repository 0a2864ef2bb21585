import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  groupsOf,
  nextStep,
  type OutboxEntry,
  undoEnd,
  undoLeftMs,
} from '#client/entities/handover/outbox.rules.ts'
import { dismissRefusal } from '#client/entities/handover/outbox.ts'
import type { Outbox } from '#client/entities/handover/use-outbox.ts'
import { formatClock } from '#client/platform/format.ts'
import { paths } from '#client/platform/paths.ts'
import { useNow } from '#client/platform/time.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { Note } from '#client/ui/note.tsx'
import type { Bag } from './bag-check.rules.ts'
import styles from './handovers.module.css'

interface ConfirmationsProps {
  readonly outbox: Outbox
  /** What is known of the bags scanned since the page was opened, by airway bill. */
  readonly bags: ReadonlyMap<string, Bag>
}

/** The agent's confirmations: refused, waiting to be sent, and those that can be undone. */
export function Confirmations({ outbox, bags }: ConfirmationsProps) {
  const { t } = useTranslation('handovers')
  const heading = useRef<HTMLHeadingElement>(null)
  const now = useNow(1_000, undoEnd(outbox.entries))
  const groups = groupsOf(outbox.entries)
  const recorded = groups.recorded.filter(
    ({ recordedAt }) => recordedAt !== null && undoLeftMs(recordedAt, now) > 0,
  )
  const { waiting, refused } = groups
  return (
    <section className={styles.kept} aria-labelledby="kept-title">
      <h2 ref={heading} id="kept-title" tabIndex={-1} className={styles.keptTitle}>
        {t('kept.title')}
      </h2>
      <WaitingNote count={waiting.length} outcome={outbox.outcome} onSend={outbox.send} />
      {refused.length + waiting.length + recorded.length === 0 ? (
        <p className={styles.keptEmpty}>{t('kept.empty')}</p>
      ) : (
        <ul className={styles.keptList}>
          {[...refused, ...waiting, ...recorded].map((entry) => (
            <Confirmation
              key={entry.id}
              entry={entry}
              bag={bags.get(entry.awb)}
              now={now}
              successor={heading}
              onUndo={outbox.undo}
            />
          ))}
        </ul>
      )}
    </section>
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
      {/* Exists before its text, which is then announced. */}
      <div role="status">
        {count === 0 ? null : (
          <Note tone="pending" icon="clock">
            <span>
              <strong>{t('kept.waiting', { count })}</strong>
              {reason === null ? null : <span className={styles.keptReason}>{t(`kept.${reason}`)}</span>}
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
  readonly bag: Bag | undefined
  readonly now: number
  /** Gets the focus of a button that goes. */
  readonly successor: Successor
  readonly onUndo: (id: string) => Promise<void>
}

type Successor = RefObject<HTMLElement | null>

export function Confirmation({ entry, bag, now, successor, onUndo }: ConfirmationProps) {
  const { t } = useTranslation('handovers')
  const { id, awb, refusal, recordedAt, isUndone } = entry
  const isWaiting = nextStep(entry) !== 'rest'
  const named = bag?.name ?? awb
  const left = recordedAt === null ? undefined : formatClock(Math.ceil(undoLeftMs(recordedAt, now) / 1_000))

  return (
    <li className={refusal === null ? styles.keptEntry : `${styles.keptEntry} ${styles.keptRefused}`}>
      <div className={styles.keptFacts}>
        <p className={styles.keptState}>
          <Icon name={refusal === null ? (isWaiting ? 'clock' : 'tick') : 'cross'} />
          {t(`kept.${stateKeyOf(entry)}`)}
        </p>
        {bag?.name ? (
          <p className={styles.keptName}>
            <bdi>{bag.name}</bdi>
          </p>
        ) : null}
        <p className={styles.keptAwb}>
          <Ltr>{awb}</Ltr>
        </p>
        {refusal === null ? null : (
          <p role="alert">{t(`kept.refusal.${refusal.code}`, { defaultValue: refusal.message })}</p>
        )}
      </div>
      {refusal === null && !isUndone && left !== undefined ? (
        <span className={styles.keptLeft} aria-hidden="true">
          <Ltr>{left}</Ltr>
        </span>
      ) : null}
      {refusal === null && !isUndone ? (
        <EntryButton
          successor={successor}
          aria-label={
            left === undefined
              ? t('kept.undoWaiting', { bag: named })
              : t('kept.undoOf', { bag: named, left })
          }
          onClick={() => void onUndo(id)}
        >
          {t('kept.undo')}
        </EntryButton>
      ) : null}
      {refusal === null ? null : (
        <EntryButton
          successor={successor}
          aria-label={t('kept.dismissOf', { bag: named })}
          onClick={() => void dismissRefusal(id)}
        >
          {t('kept.dismiss')}
        </EntryButton>
      )}
    </li>
  )
}

interface EntryButtonProps extends ComponentProps<typeof Button> {
  readonly successor: Successor
}

/** Its press takes it away, and so does the end of the undo window. */
function EntryButton({ successor, ...rest }: EntryButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  // Not a passive effect: by then the button, and with it the focus, is gone.
  useLayoutEffect(
    () => () => {
      if (document.activeElement === button.current) successor.current?.focus({ preventScroll: true })
    },
    [successor],
  )
  return <Button ref={button} className={styles.keptUndo} {...rest} />
}

export function stateKeyOf(entry: OutboxEntry) {
  if (entry.refusal !== null) return entry.refusal.step === 'undo' ? 'recorded' : 'refused'
  if (entry.isUndone) return 'undoing'
  return nextStep(entry) === 'rest' ? 'recorded' : 'sending'
}
