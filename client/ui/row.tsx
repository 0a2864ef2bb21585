import type { ComponentProps, ReactNode } from 'react'
import layout from './layout.module.css'
import { Problem } from './problem.tsx'
import styles from './row.module.css'
import textStyles from './text.module.css'

interface RowProps extends ComponentProps<'div'> {
  readonly name: ReactNode
  readonly text: string
  readonly textId?: string
  /** The error of the last press. */
  readonly problem?: unknown
  /** The control at the end of the line. */
  readonly children: ReactNode
}

/** A row with an explanation, and the control at the end of the line. */
export function Row({ name, text, textId, problem, children, ...rest }: RowProps) {
  return (
    <div {...rest} className={`${layout.split} ${layout.gap4} ${styles.row}`}>
      <div className={styles.pair}>
        {name}
        <p id={textId} className={textStyles.hint}>
          {text}
        </p>
        <Problem error={problem} />
      </div>
      {children}
    </div>
  )
}
