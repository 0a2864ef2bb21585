import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { DeskIcon, type DeskIconName } from './desk-icon.tsx'
import styles from './mark.module.css'

const colours = {
  good: 'success',
  waiting: 'warning',
  bad: 'error',
  note: 'processing',
  plain: 'default',
  person: 'default',
} as const

/** Colour of a mark. Red and amber always come with words; `person` is an act of a colleague. */
export type Tone = keyof typeof colours

/** A state in a word or two, or an icon alone that has words beside it. */
export function Mark({ tone, icon, children }: { tone: Tone; icon?: DeskIconName; children?: ReactNode }) {
  return (
    <Tag
      className={(children === undefined ? styles.icon : styles.mark) ?? ''}
      color={colours[tone]}
      variant={tone === 'person' ? 'solid' : 'filled'}
      icon={icon && <DeskIcon name={icon} />}
    >
      {children}
    </Tag>
  )
}
