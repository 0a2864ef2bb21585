import { Descriptions, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import type { DeskPageProps } from './pages.ts'
import { timeInRiyadh } from './times.ts'
import { useTitle } from './use-title.ts'

/** Who is signed in, as what, and until when. */
export function HomePage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk')
  const title = t('home.title')
  useTitle(title)
  return (
    <>
      <h1>{title}</h1>
      <Descriptions
        bordered
        column={1}
        items={[
          { key: 'name', label: t('home.name'), children: <bdi>{staff.name}</bdi> },
          {
            key: 'roles',
            label: t('home.roles'),
            children: staff.roles.map((role) => <Tag key={role}>{t(`roles.${role}`)}</Tag>),
          },
          { key: 'idle', label: t('home.idle'), children: timeInRiyadh(staff.idleUntil) },
          { key: 'ends', label: t('home.ends'), children: timeInRiyadh(staff.endsAt) },
        ]}
      />
    </>
  )
}
