import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'
import './note.css'

interface NoteProps extends ComponentProps<'div'> {
  /** `pending` passes by itself, `error` does not. */
  readonly tone?: 'pending' | 'error' | undefined
  readonly icon?: IconName | undefined
}

/** A message in the page: what happened and what to do. */
export function Note({ tone, icon, className, children, ...rest }: NoteProps) {
  const names = ['note', tone && `note-${tone}`, className]
  return (
    <div className={names.filter(Boolean).join(' ')} {...rest}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </div>
  )
}
