import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { classes } from './classes.ts'
import { focusPlace } from './focus.ts'
import layout from './layout.module.css'
import styles from './page.module.css'
import { usePageHeading } from './page-heading.ts'

interface PageProps {
  /** The page's heading, also used for the document's title. */
  title: string
  /** `form`: at most 640 px. `table`: at most 1120 px. `columns`: as a form, with a summary beside it from 1024 px. */
  width?: 'form' | 'table' | 'columns'
  className?: string | undefined
  children?: ReactNode
}

const ErrorTitle = createContext<(hasErrors: boolean) => void>(() => {})

/** Marks the document's title while the page has form errors. */
export function useErrorTitle(hasErrors: boolean): void {
  const show = useContext(ErrorTitle)
  useEffect(() => {
    if (!hasErrors) return
    show(true)
    return () => show(false)
  }, [hasErrors, show])
}

/** A page with its heading, which is focused when the page appears. */
export function Page({ title, width = 'form', className, children }: PageProps) {
  const { t } = useTranslation('ui')
  const [hasErrors, setHasErrors] = useState(false)
  const heading = usePageHeading(hasErrors ? t('errors.pageTitle', { title }) : title)
  return (
    <div
      ref={focusPlace}
      className={classes(styles.page, width === 'columns' && layout.stack, styles[width], className)}
    >
      <h1 ref={heading} tabIndex={-1} data-start className={styles.title}>
        {title}
      </h1>
      <ErrorTitle value={setHasErrors}>{children}</ErrorTitle>
    </div>
  )
}
