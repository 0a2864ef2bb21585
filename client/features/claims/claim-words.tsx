import { formatWeekdayAndDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { Claim } from '#shared/claims/claims.schemas.ts'
import { knownKind, statusOf } from './claims.rules.ts'

interface ClaimProps {
  readonly claim: Claim
}

/** The number and the kind of a claim. */
export function ClaimName({ claim }: ClaimProps) {
  const { t } = useTranslation('claims')
  return (
    <>
      <Ltr>{claim.number}</Ltr> <span>{`· ${t(`kinds.${knownKind(claim.kind)}`)}`}</span>
    </>
  )
}

/** The state of a claim, in words for its owner. */
export function ClaimStatus({ claim }: ClaimProps) {
  const { t } = useTranslation('claims')
  const day = formatWeekdayAndDayInBoth(claim.answerBy, useLanguage())
  const status = statusOf(claim)
  const said =
    status === 'closed' ? t(`outcome.${claim.outcome ?? 'withdrawn'}`) : t(`status.${status}`, { day })
  return <span>{said}</span>
}
