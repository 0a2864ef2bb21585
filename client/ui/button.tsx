import type { ComponentProps } from 'react'
import { Link } from 'react-router-dom'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import { Words } from './words.tsx'

interface Look {
  /** In a row of buttons at most one is primary; the least important is quiet. */
  readonly look?: 'primary' | 'quiet' | undefined
  readonly isWide?: boolean | undefined
  /** Before the text. */
  readonly icon?: IconName | undefined
  /** Class names that the parent component adds. */
  readonly className?: string | undefined
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** A press has no effect now; unlike a disabled button it keeps the focus. */
    readonly isBusy?: boolean
  }

export function Button({ look, isWide, icon, className, isBusy, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classOf({ look, isWide, className })}
      data-look={look}
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : onClick}
      {...rest}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <Words>{children}</Words>
    </button>
  )
}

/**
 * `to` is a page of this document; `href` is a new document, a file or another app. Without a value in `href` the link
 * has no effect yet, and keeps the focus.
 */
type ButtonLinkProps = Omit<ComponentProps<'a'>, 'href'> &
  Look & { readonly isNewTab?: boolean } & ({ readonly to: string } | { readonly href: string | undefined })

/** A link that looks like a button. */
export function ButtonLink({
  look,
  isWide,
  icon,
  className,
  isNewTab = false,
  children,
  ...rest
}: ButtonLinkProps) {
  const tab = isNewTab ? { target: '_blank', rel: 'noopener' } : {}
  const ofButton = { className: classOf({ look, isWide, className }), 'data-look': look, 'data-screen': true }
  const hasTarget = 'to' in rest || rest.href !== undefined
  const off = hasTarget ? {} : { role: 'link', 'aria-disabled': true, tabIndex: 0 }
  const props = { ...rest, ...tab, ...off, ...ofButton }
  const content = (
    <>
      {icon === undefined ? null : <Icon name={icon} />}
      <Words>{children}</Words>
    </>
  )
  return 'to' in props ? <Link {...props}>{content}</Link> : <a {...props}>{content}</a>
}

function classOf({ look, isWide = false, className }: Look): string {
  return classes(styles.button, look && styles[look], isWide && styles.wide, className)
}
