import { useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { useStaffName } from '../by.tsx'
import type { DeskClaim } from './claims.queries.ts'

type ClaimEvent = DeskClaim['events'][number]

export function useAuthor() {
  const { t } = useTranslation('desk-claims')
  const nameOf = useStaffName()
  return ({ author, staffName, staffRoles }: ClaimEvent): string => {
    if (author === 'owner') return t('owner')
    return staffName === null ? t('system') : nameOf(staffName, staffRoles)
  }
}

/**
 * The last thing that others have said or done since a form was begun, in words.
 * @param isBegun before that the person has written nothing, and sees all of it
 */
export function useClaimNews({ events }: Pick<DeskClaim, 'events'>, by: string, isBegun = true) {
  const { t } = useTranslation('desk-claims')
  const authorOf = useAuthor()
  const [seen, setSeen] = useState(events.length)
  if (!isBegun && seen !== events.length) setSeen(events.length)
  const news = events.slice(seen).findLast(({ staffName }) => staffName !== by)
  return news && `${authorOf(news)} · ${t(`event.${news.kind}`)}`
}
