import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/platform/connection.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { durationText } from '#shared/platform/duration.ts'
import type { WorkRow } from '#shared/work/work.schemas.ts'
import { isolated } from '../isolated.ts'
import { Letter } from '../letter.tsx'
import { formatAgo } from '../times.ts'
import type { RowActs } from './row-acts.tsx'
import styles from './work.module.css'
import { pressOf } from './work.rules.ts'

interface HolderProps {
  readonly row: WorkRow
  readonly now: number
  readonly acts: RowActs
}

/** Who has a row, and what can be done about that. */
export function Holder({ row, now, acts }: HolderProps) {
  const { t } = useTranslation('desk-work')
  const isOff = useConnection() === 'offline' || acts.isPending
  const press = pressOf(row)
  // Others leave their list by what is done.
  const isEnded = row.kind === 'payments' || row.kind === 'messages'
  return (
    <span className={styles.holder}>
      <HolderName row={row} now={now} />
      {press === 'take' ? (
        <Button size="small" disabled={isOff} onClick={() => acts.take(row)}>
          {t('take')}
        </Button>
      ) : null}
      {press === 'ask' ? (
        <Button size="small" type="text" disabled={isOff} onClick={() => acts.take(row)}>
          {t('takeOver')}
        </Button>
      ) : null}
      {press === 'none' ? (
        <>
          <Button size="small" type="text" disabled={isOff} onClick={() => acts.release(row)}>
            {t('release')}
          </Button>
          <Button size="small" type="text" disabled={isOff} onClick={() => acts.hand(row)}>
            {t('hand.open')}
          </Button>
          {isEnded ? (
            <Button size="small" type="text" disabled={isOff} onClick={() => acts.end(row)}>
              {t('end.open')}
            </Button>
          ) : null}
        </>
      ) : null}
    </span>
  )
}

/** The name of who has it, and since when. */
function HolderName({ row: { taken }, now }: Pick<HolderProps, 'row' | 'now'>) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  if (taken === null) return null
  const stands = now - Date.parse(taken.movedAt)
  return (
    <span className={styles.who}>
      <Letter name={taken.name} isYou={taken.isYou} />
      <span>
        {taken.isStale && !taken.isYou
          ? t('holder.stale', { name: isolated(taken.name), time: durationText(stands, language) })
          : t('holder.has', {
              name: taken.isYou ? t('holder.you') : isolated(taken.name),
              ago: formatAgo(now - Date.parse(taken.since), language),
            })}
      </span>
    </span>
  )
}
