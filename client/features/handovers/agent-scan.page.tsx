import { useState } from 'react'
import { useKeptBags, useKeptBagsEnd } from '#client/entities/handover/kept-bags.ts'
import { useOutbox } from '#client/entities/handover/use-outbox.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useAgentId } from '#client/session/session.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { Page } from '#client/ui/page.tsx'
import textStyles from '#client/ui/text.module.css'
import { CheckResult } from './check-result.tsx'
import { Confirmations } from './confirmations.tsx'
import styles from './handovers.module.css'
import { NumberForm } from './number-form.tsx'
import { Scanner } from './scanner.tsx'
import { ShiftLine } from './shift-line.tsx'
import { useSignals } from './signals.ts'
import { UndoBar } from './undo-bar.tsx'
import { useBagScan } from './use-bag-scan.ts'
import { useWedge } from './use-wedge.ts'
import type { WedgeReading } from './wedge.rules.ts'

/**
 * The page where the agent receives bags: by camera, by a hand scanner that types, or by number. It is a document of its own,
 * because only this document's policy allows the camera.
 */
export function AgentScanPage() {
  const agentId = useAgentId()
  return agentId === undefined ? null : <AgentScan agentId={agentId} />
}

function AgentScan({ agentId }: { readonly agentId: number }) {
  useKeptBagsEnd(agentId)
  const { t } = useTranslation('handovers')
  const outbox = useOutbox(agentId)
  const orderOf = useKeptBags(agentId)
  const signals = useSignals()
  const [last, setLast] = useState<WedgeReading['kind'] | null>(null)
  const [hasScanned, setHasScanned] = useState(false)
  const { scan, hasFailed, start, clear, confirm } = useBagScan({
    agentId,
    outbox,
    onChecked: ({ kind }) => signals.play(kind === 'receive' ? 'good' : 'bad'),
  })

  function take(reading: WedgeReading, isScanned = true): void {
    setLast(reading.kind)
    if (isScanned) setHasScanned(true)
    if (reading.kind === 'awb') void start(reading.awb, isScanned)
    else {
      signals.play('bad')
      clear()
    }
  }
  const hasWedge = useWedge((reading) => take(reading))

  return (
    <Page title={t('title')} width="table">
      <div className={`${layout.grid} ${layout.gap5} ${styles.scan}`}>
        <div className={`${layout.stack} ${layout.gap4}`}>
          {outbox.isBlocked ? (
            <Note tone="error" icon="alert" role="alert">
              {t('storage')}
            </Note>
          ) : null}
          <Scanner
            isActive={scan === null}
            isWrong={last === 'wrong'}
            onReading={(reading) => take(reading)}
          />
          {scan === null ? null : (
            <CheckResult
              key={scan.awb}
              scan={scan}
              hasFailed={hasFailed}
              onConfirm={(report) => void confirm(report)}
              onNext={clear}
            />
          )}
          {hasScanned && signals.isUndecided ? <SignalsOffer onChoose={signals.choose} /> : null}
          <NumberForm onNumber={(awb) => take({ kind: 'awb', awb }, false)} />
          <WedgeNote isThere={hasWedge} isUnread={last === 'unread'} />
        </div>
        <div className={`${layout.stack} ${layout.gap4}`}>
          <Confirmations outbox={outbox} orderOf={orderOf} />
          <ShiftLine agentId={agentId} />
          <div className={`${layout.cluster} ${layout.gap3}`}>
            <button
              type="button"
              className={buttonStyles.chip}
              aria-pressed={signals.isOn}
              onClick={() => signals.choose(signals.isOn ? 'off' : 'on')}
            >
              {t('signals')}
            </button>
            {/* A plain link and not a route: only this document may use the camera, the list's document may not. */}
            <ButtonLink look="quiet" href={paths.agentOrders}>
              {t('list')}
            </ButtonLink>
          </div>
        </div>
      </div>
      {/* While a result is on screen, the button of the result stands in this place. */}
      <div className={styles.scanBar} hidden={scan !== null}>
        <UndoBar agentId={agentId} isNumberFirst />
      </div>
    </Page>
  )
}

interface WedgeNoteProps {
  readonly isThere: boolean
  /** A hand scanner has typed, but the page could not read its number. */
  readonly isUnread: boolean
}

function WedgeNote({ isThere, isUnread }: WedgeNoteProps) {
  const { t } = useTranslation('handovers')
  return (
    <p className={`${layout.line} ${layout.gap2} ${textStyles.quiet}`} role="status">
      {isThere ? (
        <>
          <Icon name={isUnread ? 'alert' : 'scan'} />
          <span>{t(isUnread ? 'wedge.unread' : 'wedge.connected')}</span>
        </>
      ) : null}
    </p>
  )
}

/** Asks once, at the first scan, whether sounds may play: a counter is loud. */
function SignalsOffer({ onChoose }: { readonly onChoose: (choice: 'on' | 'off') => void }) {
  const { t } = useTranslation('handovers')
  return (
    <Note className={`${layout.cluster} ${styles.offer}`}>
      <p>{t('offer.text')}</p>
      <Button onClick={() => onChoose('on')}>{t('offer.yes')}</Button>
      <Button look="quiet" onClick={() => onChoose('off')}>
        {t('offer.no')}
      </Button>
    </Note>
  )
}
