import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import layout from './layout.module.css'
import styles from './note.module.css'
import { Words } from './words.tsx'

interface NoteProps extends ComponentProps<'div'> {
  /** `pending` passes by itself, `error` does not. */
  readonly tone?: 'pending' | 'error' | undefined
  readonly icon?: IconName | undefined
}

/** A message in the page: what happened and what to do. */
export function Note({ tone, icon, className, children, ...rest }: NoteProps) {
  return (
    <div
      className={classes(layout.line, layout.gap3, styles.note, tone && styles[tone], className)}
      {...rest}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <Words>{children}</Words>
    </div>
  )
}
