import { useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { useStaffName } from '../by.tsx'
import type { DeskClaim } from './claims.queries.ts'

type ClaimEvent = DeskClaim['events'][number]

/** Text of an event of a claim: who did what. A message without words is a photograph. */
export function useEventTitle() {
  const { t } = useTranslation('desk-claims')
  const nameOf = useStaffName()
  return ({ author, staffName, staffRoles, kind, text }: ClaimEvent): string => {
    const staff = staffName === null ? t('system') : nameOf(staffName, staffRoles)
    const what = kind === 'message' && text === '' ? 'photo' : kind
    return `${author === 'owner' ? t('owner') : staff} · ${t(`event.${what}`)}`
  }
}

/**
 * Text of the newest event by someone else since the operator began a form.
 * @param isBegun false until the operator has written something; there is no news before that
 */
export function useClaimNews({ events }: Pick<DeskClaim, 'events'>, by: string, isBegun = true) {
  const titleOf = useEventTitle()
  const [seen, setSeen] = useState(events.length)
  if (!isBegun && seen !== events.length) setSeen(events.length)
  const news = events.slice(seen).findLast(({ staffName }) => staffName !== by)
  return news && titleOf(news)
}
