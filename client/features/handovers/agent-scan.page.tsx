import { useState } from 'react'
import { useKeptBags, useKeptBagsEnd } from '#client/entities/handover/kept-bags.ts'
import { useOutbox } from '#client/entities/handover/use-outbox.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useAgentId } from '#client/session/session.ts'
import { Announced } from '#client/ui/announced.tsx'
import buttonStyles from '#client/ui/button.module.css'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { focusPlace } from '#client/ui/focus.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { usePageHeading } from '#client/ui/page-heading.ts'
import textStyles from '#client/ui/text.module.css'
import { useTakesPhotos } from './bag-photo.ts'
import { CheckActions, CheckResult } from './check-result.tsx'
import { Confirmations } from './confirmations.tsx'
import styles from './handovers.module.css'
import { NumberForm } from './number-form.tsx'
import { ReceivedScreen, useReceivedBag } from './received-screen.tsx'
import { Scanner } from './scanner.tsx'
import { ShiftLine } from './shift-line.tsx'
import { useSignals } from './signals.ts'
import { Tally } from './tally.tsx'
import { UndoBar } from './undo-bar.tsx'
import { type ScanCheck, useBagScan } from './use-bag-scan.ts'
import { useCamera } from './use-camera.ts'
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
  const heading = usePageHeading(t('title'))
  const outbox = useOutbox(agentId)
  const orderOf = useKeptBags(agentId)
  const signals = useSignals()
  const takesPhotos = useTakesPhotos()
  const [last, setLast] = useState<WedgeReading['kind'] | null>(null)
  const [hasScanned, setHasScanned] = useState(false)
  const [received, setReceived] = useReceivedBag(outbox.entries)
  const { scan, hasFailed, start, clear, confirm } = useBagScan({
    agentId,
    outbox,
    onChecked: ({ kind }) => signals.play(kind === 'receive' ? 'good' : 'bad'),
    onReceived: ({ awb, check }, photo, confirmedAt) =>
      setReceived({
        awb,
        confirmedAt,
        bag: check !== null && 'bag' in check ? check.bag : undefined,
        preview: photo?.preview,
        hasNoPhoto: takesPhotos && photo === undefined,
        isOffline: check !== null && (check.kind === 'unchecked' || check.knownAt !== undefined),
      }),
  })
  const camera = useCamera({ isReading: scan === null, onReading: (reading) => take(reading) })

  function take(reading: WedgeReading, isScanned = true): void {
    setReceived(null)
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
    <div ref={focusPlace} className={`${layout.stack} ${styles.page}`}>
      <h1 ref={heading} tabIndex={-1} data-start className="visually-hidden">
        {t('title')}
      </h1>
      <div className={`${layout.grid} ${styles.scan}`}>
        <div className={layout.stack}>
          {outbox.isBlocked ? (
            <Note tone="error" icon="alert" role="alert">
              {t('storage')}
            </Note>
          ) : null}
          <div className={classes(layout.stack, scan !== null && styles.verdict)}>
            {scan === null ? null : <CheckResult key={scan.awb} scan={scan} hasFailed={hasFailed} />}
            <Scanner
              camera={camera}
              shows={scan === null ? 'barcode' : takesPhotos && mayBeTaken(scan.check) ? 'bag' : 'nothing'}
              isWrong={last === 'wrong'}
            />
            {scan === null || scan.check === null ? null : (
              <CheckActions
                key={`actions ${scan.awb}`}
                check={scan.check}
                hasPhoto={takesPhotos && camera.hasPicture}
                onConfirm={(report) =>
                  void confirm(report, takesPhotos && report === undefined ? camera.takePhoto : undefined)
                }
                onNext={clear}
              />
            )}
          </div>
          <div className={`${layout.stack} ${layout.gap3} ${styles.below}`}>
            {hasScanned && signals.isUndecided ? <SignalsOffer onChoose={signals.choose} /> : null}
            <NumberForm onNumber={(awb) => take({ kind: 'awb', awb }, false)} />
            <Tally agentId={agentId} />
            <WedgeNote isThere={hasWedge} isUnread={last === 'unread'} />
          </div>
        </div>
        <div className={`${layout.stack} ${layout.gap4} ${styles.beside}`}>
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
      <Announced>
        {received?.refusal ? t('kept.refused') : received?.hasNoPhoto ? t('photo.missing') : null}
      </Announced>
      {/* While a result is on screen, the button of the result stands in this place. */}
      <div className={classes(styles.scanBar, received !== null && styles.isReceived)} hidden={scan !== null}>
        <ReceivedScreen agentId={agentId} received={received} onOver={() => setReceived(null)} />
        <UndoBar agentId={agentId} />
      </div>
    </div>
  )
}

/** The bag may be confirmed, or its check is under way: the agent can hold it before the camera already. */
const mayBeTaken = (check: ScanCheck | null) =>
  check === null || check.kind === 'receive' || check.kind === 'unchecked'

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
