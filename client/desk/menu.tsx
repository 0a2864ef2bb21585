import { Menu as AntMenu, Badge } from 'antd'
import { matchPath, NavLink, useLocation } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import layout from '#client/ui/layout.module.css'
import type { WorkList } from '#shared/desk/work/work.schemas.ts'
import { durationText } from '#shared/platform/duration.ts'
import { DeskIcon } from './desk-icon.tsx'
import styles from './menu.module.css'
import { useMinute } from './moment.tsx'
import { type DeskPageProps, menuRowsOf } from './pages.ts'
import { useWork } from './work/work.queries.ts'

/** The menu: the work lists with their counts, and the records. `isNarrow` shows a short name below each icon. */
export function Menu({ staff, isNarrow }: DeskPageProps & { isNarrow: boolean }) {
  const { t } = useTranslation('desk')
  const { pathname } = useLocation()
  const { data } = useWork()
  const groups = (['lists', 'records'] as const).map((group) => ({
    key: group,
    type: 'group' as const,
    label: isNarrow ? null : t(`menuUnder.${group}`),
    children: menuRowsOf(staff, group).map(({ to, name, icon }) => ({
      key: to,
      role: 'none',
      label: (
        <NavLink to={to} className={`${layout.line} ${layout.gap2}`}>
          <DeskIcon name={icon} />
          <span>{t(isNarrow ? `menuShort.${name}` : `menuOf.${name}`)}</span>{' '}
          <Count list={data?.lists.find(({ kind }) => kind === name)} />
        </NavLink>
      ),
    })),
  }))
  const here = groups.flatMap(({ children }) =>
    children.flatMap(({ key }) => (matchPath({ path: key, end: false }, pathname) ? [key] : [])),
  )
  return (
    <nav aria-label={t('menu')}>
      <AntMenu
        className={isNarrow ? `${styles.menu} ${styles.narrow}` : (styles.menu ?? '')}
        mode="inline"
        // The rows are links, not commands of an application menu, so the links are the tab stops.
        role="none"
        tabIndex={-1}
        inlineIndent={12}
        selectedKeys={here}
        items={groups}
      />
    </nav>
  )
}

/** The number of rows in a work list. Red: some are past their limit. Amber: they wait for this operator. */
function Count({ list }: { list: WorkList | undefined }) {
  const { t } = useTranslation('desk')
  const language = useLanguage()
  const now = useMinute()
  if (list === undefined) return null
  const { kind, count, late, oldest } = list
  const age = oldest && t('menuOldest', { age: durationText(now - Date.parse(oldest), language) })
  return (
    <>
      <Badge
        className={styles.count ?? ''}
        count={count}
        overflowCount={999}
        title={age}
        color={`var(--${late > 0 ? 'error' : kind === 'approvals' ? 'pending' : 'muted'})`}
      />{' '}
      <span className="visually-hidden">{late > 0 ? `${t('menuLate', { late })} ${age ?? ''}` : age}</span>
    </>
  )
}
