import { Card as AntCard, Descriptions } from 'antd'
import type { ReactNode } from 'react'
import layout from '#client/ui/layout.module.css'
import styles from './card.module.css'

export type Fact = readonly [label: string, value: ReactNode]

interface CardProps {
  title: string
  facts?: readonly Fact[]
  action?: ReactNode
  children?: ReactNode
}

/** Facts about one subject, next to or below the main content of the page. */
export function Card({ title, facts, action, children }: CardProps) {
  return (
    <AntCard
      size="small"
      classNames={{ header: styles.head ?? '', body: `${layout.stack} ${layout.gap2} ${styles.body}` }}
      title={<h2>{title}</h2>}
      extra={action}
    >
      {facts && <Facts facts={facts} />}
      {children}
    </AntCard>
  )
}

/** A list of facts; facts without a value are left out. `isBoxed`: they have a frame, because no card surrounds them. */
export function Facts({ facts, isBoxed = false }: { facts: readonly Fact[]; isBoxed?: boolean }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null)
  return (
    <Descriptions
      size="small"
      column={1}
      colon={false}
      bordered={isBoxed}
      classNames={{ content: styles.value ?? '' }}
      items={known.map(([label, children]) => ({ key: label, label, children }))}
    />
  )
}
