import { formatTime } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Facts } from './card.tsx'
import { Mark } from './mark.tsx'
import { PageHead } from './page-head.tsx'
import type { DeskPageProps } from './pages.ts'

/** The signed-in operator, the roles, and the time when the session ends. */
export function SessionPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk')
  const language = useLanguage()
  return (
    <>
      <PageHead title={t('session.title')} />
      <Facts
        isBoxed
        facts={[
          [t('session.name'), <bdi key="name">{staff.name}</bdi>],
          [
            t('session.roles'),
            staff.roles.map((role) => (
              <Mark key={role} tone="plain">
                {t(`roles.${role}`)}
              </Mark>
            )),
          ],
          [t('session.idle'), formatTime(staff.idleUntil, language)],
          [t('session.ends'), formatTime(staff.endsAt, language)],
        ]}
      />
    </>
  )
}
