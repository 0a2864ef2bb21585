import { Button, Input } from 'antd'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimTextLength } from '#shared/claims/claims.operations.ts'
import { Card } from '../card.tsx'
import { CopyButton } from '../copy-button.tsx'
import { useDraft } from '../drafts.ts'
import { Labelled } from '../labelled.tsx'
import { PartnerText } from '../partner-text.tsx'
import { say } from '../said.tsx'
import { Problem } from '../states.tsx'
import type { Over } from '../work/work.rules.ts'
import styles from './claim.module.css'
import { type DeskClaim, usePartnerNote } from './claims.queries.ts'

interface PartnerCardProps {
  readonly claim: DeskClaim
  readonly by: string
  readonly over: Over
}

/** The text for the courier, its number of the case, and what it answered. */
export function PartnerCard({ claim, by, over }: PartnerCardProps) {
  const { t } = useTranslation('desk-claims')
  const { claimId, partnerText, partnerCase, state } = claim
  const [typed, setTyped] = useDraft(by, `claim ${claimId} case`)
  const [answer, setAnswer] = useDraft(by, `claim ${claimId} partner`)
  const note = usePartnerNote(claimId)
  const isOff = useConnection() === 'offline' || note.isPending
  const number = typed.trim()
  const words = answer.trim()
  const told = () =>
    note.send(
      { what: 'told', caseNumber: number, text: partnerText.slice(0, claimTextLength.most), ...over },
      () => {
        setTyped('')
        say(t('partner.toldDone'))
      },
    )
  const answered = () =>
    note.send({ what: 'answered', text: words, ...over }, () => {
      setAnswer('')
      say(t('partner.answeredDone'))
    })
  return (
    <Card title={t('partner.title')} action={<CopyButton text={partnerText} />}>
      <PartnerText text={partnerText} />
      {state === 'CLOSED' ? null : (
        <div className={styles.partner}>
          {partnerCase === null ? (
            <>
              <Labelled text={t('partner.case')}>
                <Input
                  dir="ltr"
                  maxLength={60}
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                />
              </Labelled>
              <Button disabled={isOff || number === ''} onClick={told}>
                {t('partner.told')}
              </Button>
            </>
          ) : (
            <>
              <p>
                {t('partner.case')} <Ltr>{partnerCase}</Ltr>
              </p>
              <Labelled text={t('partner.answer')}>
                <Input.TextArea
                  rows={2}
                  maxLength={claimTextLength.most}
                  value={answer}
                  onChange={({ target }) => setAnswer(target.value)}
                />
              </Labelled>
              <Button disabled={isOff || words === ''} onClick={answered}>
                {t('partner.answered')}
              </Button>
            </>
          )}
          <Problem error={note.error} />
        </div>
      )}
    </Card>
  )
}
