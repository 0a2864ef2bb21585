import type { ReactNode } from 'react'
import badgeStyles from '#client/ui/badge.module.css'
import { DeskIcon, type DeskIconName } from './desk-icon.tsx'
import styles from './mark.module.css'

/** Red and amber never stand without words. */
export type Tone = 'good' | 'waiting' | 'bad' | 'note' | 'plain' | 'person'

const colours: Readonly<Record<Tone, string | undefined>> = {
  good: badgeStyles.good,
  waiting: badgeStyles.waiting,
  bad: styles.bad,
  note: styles.note,
  plain: badgeStyles.over,
  person: styles.person,
}

interface MarkProps {
  readonly tone: Tone
  readonly icon?: DeskIconName
  readonly children: ReactNode
}

/** A state in a word or two. */
export function Mark({ tone, icon, children }: MarkProps) {
  return (
    <span className={`${styles.mark} ${colours[tone]}`}>
      {icon && <DeskIcon name={icon} />}
      <span>{children}</span>
    </span>
  )
}

/** The drawing of a line, on the ground of its tone. */
export function MarkedIcon({ tone, icon }: { readonly tone: Tone; readonly icon: DeskIconName }) {
  return (
    <span className={`${styles.icon} ${colours[tone]}`}>
      <DeskIcon name={icon} />
    </span>
  )
}
