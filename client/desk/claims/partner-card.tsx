import { Button, Form, Input } from 'antd'
import { call } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimTextLength } from '#shared/claims/claims.operations.ts'
import { noteDeskClaim } from '#shared/desk/claims/desk-claims.operations.ts'
import { ActState, needed, TextItem, useActForm } from '../act-dialog.tsx'
import { Card } from '../card.tsx'
import { useNotice } from '../notices.tsx'
import { PartnerText } from '../partner-text.tsx'
import type { Over } from '../work/work.rules.ts'
import { type DeskClaim, ofClaim, useClaimAct } from './claims.queries.ts'

interface PartnerCardProps {
  claim: DeskClaim
  by: string
  over: Over
}

interface Fields {
  caseNumber?: string
  text?: string
}

/** The text for the courier, its case number, and its answer. */
export function PartnerCard({ claim, by, over }: PartnerCardProps) {
  const { t } = useTranslation('desk-claims')
  const showNotice = useNotice()
  const { claimId, partnerText, partnerCase, state } = claim
  const apply = useClaimAct(claimId)
  const step = partnerCase === null ? 'told' : 'answered'
  const form = useActForm({
    by,
    name: `claim ${claimId} partner`,
    act({ caseNumber, text = partnerText.slice(0, claimTextLength.most) }: Fields, key) {
      const number = caseNumber === undefined ? {} : { caseNumber }
      const body = { what: step, text, ...number, ...over } as const
      return apply(call(noteDeskClaim, { ...ofClaim(claimId, key), body }))
    },
    onDone: () => showNotice(t(`partner.${step}Done`)),
  })
  return (
    <Card title={t('partner.title')}>
      <PartnerText text={partnerText} />
      {state === 'CLOSED' ? null : (
        <Form {...form.props}>
          {partnerCase === null ? (
            <Form.Item name="caseNumber" label={t('partner.case')} rules={[needed()]}>
              <Input dir="ltr" maxLength={60} />
            </Form.Item>
          ) : (
            <>
              <p>
                {t('partner.case')} <Ltr>{partnerCase}</Ltr>
              </p>
              <TextItem
                name="text"
                label={t('partner.answer')}
                length={{ least: 1, most: claimTextLength.most }}
                rows={2}
              />
            </>
          )}
          <Button htmlType="submit" disabled={form.isOff} loading={form.isPending}>
            {t(`partner.${step}`)}
          </Button>
          <ActState form={form} />
        </Form>
      )}
    </Card>
  )
}
