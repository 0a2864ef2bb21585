import type { ReactNode } from 'react'
import styles from './card.module.css'

export type Fact = readonly [label: string, value: ReactNode]

interface CardProps {
  readonly title: string
  /** Those without a value are left out. */
  readonly facts?: readonly Fact[]
  readonly action?: ReactNode
  readonly children?: ReactNode
}

/** Facts about one thing, beside or below what the page is about. */
export function Card({ title, facts, action, children }: CardProps) {
  return (
    <section className={styles.card}>
      <h2>
        <span>{title}</span> {action}
      </h2>
      {facts && <Facts facts={facts} />}
      {children}
    </section>
  )
}

interface FactsProps {
  readonly facts: readonly Fact[]
  /** By themselves, not in a card. */
  readonly isBoxed?: boolean
}

export function Facts({ facts, isBoxed = false }: FactsProps) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null)
  return (
    <dl className={isBoxed ? `${styles.facts} ${styles.box}` : styles.facts}>
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
