import { useState } from 'react'
import { entryShownOf, type Report, undoEnd } from '#client/entities/handover/outbox.rules.ts'
import { type Outbox, useOutbox } from '#client/entities/handover/use-outbox.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Button } from '#client/ui/button.tsx'
import { focusPlace } from '#client/ui/focus.ts'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { type BagCheck, checkOf } from './bag-check.rules.ts'
import { CheckReason } from './check-result.tsx'
import { Confirmation, type ConfirmationProps, stateKeyOf } from './confirmations.tsx'
import styles from './handovers.module.css'
import { RefuseBag } from './refuse-bag.tsx'

interface BagHandoverProps {
  readonly agentId: number
  readonly order: Order
  /** The airway bill number of one of the order's bags. */
  readonly awb: string
  /** Called when the agent has confirmed or refused the bag. */
  readonly onDone?: () => void
}

/** The actions of the scan page, for a bag whose order the agent has found in the list. */
export function BagHandover({ agentId, order, awb, onDone }: BagHandoverProps) {
  const { t } = useTranslation('handovers')
  const outbox = useOutbox(agentId)
  const now = useNow(1_000, undoEnd(outbox.entries))
  const [hasFailed, setHasFailed] = useState(false)
  const check = checkOf(awb, [order])
  const entry = entryShownOf(outbox.entries, awb, now)

  async function confirm(report?: Report): Promise<void> {
    const isKept = await outbox.confirm(awb, report)
    setHasFailed(!isKept)
    if (isKept) onDone?.()
  }

  return (
    <section
      ref={focusPlace}
      tabIndex={-1}
      className={`${layout.grid} ${layout.gap3}`}
      aria-label={t('bag', { awb })}
    >
      <Announced>{entry === undefined ? null : t(`kept.${stateKeyOf(entry)}`)}</Announced>
      {hasFailed || outbox.isBlocked ? (
        <Note tone="error" icon="alert" role="alert">
          {t('storage')}
        </Note>
      ) : null}
      {entry === undefined ? (
        <Decision check={check} onConfirm={(report) => void confirm(report)} />
      ) : (
        <Kept entry={entry} order={order} now={now} outbox={outbox} />
      )}
    </section>
  )
}

interface DecisionProps {
  /** Without a report the agent accepts the bag. */
  readonly onConfirm: (report?: Report) => void
}

function Decision({ check, onConfirm }: DecisionProps & { readonly check: BagCheck }) {
  return check.kind === 'receive' ? <Receive onConfirm={onConfirm} /> : <CheckReason check={check} />
}

/** Without a network the order may have been cancelled meanwhile: the server decides when the confirmation arrives. */
function Receive({ onConfirm }: DecisionProps) {
  const { t } = useTranslation('handovers')
  const isOffline = useConnection() === 'offline'
  return (
    <>
      {isOffline ? <CheckReason check={{ kind: 'unchecked' }} /> : null}
      <Button look="primary" isWide icon="tick" onClick={() => onConfirm()}>
        {t(isOffline ? 'keep' : 'confirm')}
      </Button>
      <RefuseBag onRefuse={onConfirm} />
    </>
  )
}

interface KeptProps extends Omit<ConfirmationProps, 'onUndo'> {
  readonly outbox: Outbox
}

function Kept({ outbox: { outcome, undo }, ...of }: KeptProps) {
  const { t } = useTranslation('handovers')
  const { entry } = of
  const isUnsent = entry.recordedAt === null && entry.refusal === null && !entry.isUndone
  return (
    <>
      <ul className={styles.keptAlone}>
        <Confirmation {...of} onUndo={undo} />
      </ul>
      {isUnsent && outcome !== 'done' ? (
        <p>{t(outcome === 'signed-out' ? 'kept.signed-out' : 'check.kept.text')}</p>
      ) : null}
    </>
  )
}
