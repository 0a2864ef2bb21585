import { Descriptions, Tag } from 'antd'
import { useTranslation } from '#client/platform/i18n.ts'
import { PageHead } from './page-head.tsx'
import type { DeskPageProps } from './pages.ts'
import { timeInRiyadh } from './times.ts'

/** Who is signed in, as what, and until when. */
export function SessionPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk')
  return (
    <>
      <PageHead title={t('session.title')} />
      <Descriptions
        bordered
        column={1}
        items={[
          { key: 'name', label: t('session.name'), children: <bdi>{staff.name}</bdi> },
          {
            key: 'roles',
            label: t('session.roles'),
            children: staff.roles.map((role) => <Tag key={role}>{t(`roles.${role}`)}</Tag>),
          },
          { key: 'idle', label: t('session.idle'), children: timeInRiyadh(staff.idleUntil) },
          { key: 'ends', label: t('session.ends'), children: timeInRiyadh(staff.endsAt) },
        ]}
      />
    </>
  )
}
