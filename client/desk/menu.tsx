import { NavLink } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { durationText } from '#shared/platform/duration.ts'
import { DeskIcon } from './desk-icon.tsx'
import styles from './menu.module.css'
import { useMinute } from './moment.tsx'
import type { DeskMenuRow, DeskPage } from './pages.ts'
import { useWork } from './work/work.queries.ts'

interface MenuProps {
  readonly pages: readonly DeskPage[]
  /** Icons and counts alone. */
  readonly isNarrow: boolean
}

interface Count {
  readonly count: number
  /** Past their limit. */
  readonly late: number
  /** Since when the first of them waits. */
  readonly oldest: string | null
  /** They wait for this person. */
  readonly isForYou?: boolean
}

/** The lists with their counts, and the records. */
export function Menu({ pages, isNarrow }: MenuProps) {
  const { t } = useTranslation('desk')
  const { data } = useWork()
  const countOf = (of: DeskMenuRow['counts']): Count | undefined => {
    const list = data?.lists.find(({ kind }) => kind === of)
    return list && { ...list, isForYou: of === 'approvals' }
  }
  return (
    <nav aria-label={t('menu')} className={isNarrow ? `${styles.menu} ${styles.narrow}` : styles.menu}>
      {(['lists', 'records'] as const).map((group) => (
        <section key={group} aria-label={t(`menuUnder.${group}`)}>
          {isNarrow ? null : <h2>{t(`menuUnder.${group}`)}</h2>}
          <ul>
            {pages
              .filter(({ menu }) => menu?.under === group)
              .flatMap(({ menu }) => menu?.rows ?? [])
              .map((row) => (
                <li key={row.to}>
                  <MenuLink row={row} count={countOf(row.counts)} isNarrow={isNarrow} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

interface MenuLinkProps {
  readonly row: DeskMenuRow
  readonly count: Count | undefined
  readonly isNarrow: boolean
}

function MenuLink({ row, count, isNarrow }: MenuLinkProps) {
  const { t } = useTranslation('desk')
  const text = t(row.text)
  return (
    <NavLink
      to={row.to}
      className={({ isActive }) => (isActive ? `${styles.link} ${styles.here}` : (styles.link ?? ''))}
      title={isNarrow ? text : undefined}
    >
      <DeskIcon name={row.icon} />
      <span className={isNarrow ? 'visually-hidden' : styles.text}>{text}</span>{' '}
      {count === undefined ? null : <MenuCount {...count} />}
    </NavLink>
  )
}

function MenuCount({ count, late, oldest, isForYou = false }: Count) {
  const { t } = useTranslation('desk')
  const language = useLanguage()
  const now = useMinute()
  const tone = late > 0 ? styles.late : isForYou && count > 0 ? styles.some : ''
  const age = oldest && t('menuOldest', { age: durationText(now - Date.parse(oldest), language) })
  return (
    <span className={`${styles.count} ${tone}`} title={age ?? undefined}>
      <span>{count}</span>{' '}
      <span className="visually-hidden">{late > 0 ? `${t('menuLate', { late })} ${age ?? ''}` : age}</span>
    </span>
  )
}
