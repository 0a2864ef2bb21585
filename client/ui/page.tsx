import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDocumentTitle } from './document-title.ts'
import { useHeadingFocus } from './heading-focus.ts'
import './page.css'
import './ui.texts.ts'

interface PageProps {
  /** The heading of the page and, with the name of the product, the title of the document. */
  title: string
  /** `form`: at most 640 px. `table`: at most 1120 px. */
  width?: 'form' | 'table'
  children?: ReactNode
}

const ErrorTitle = createContext<(hasErrors: boolean) => void>(() => {})

/** Says in the title of the document that something on the page has to be corrected, for as long as it is so. */
export function useErrorTitle(hasErrors: boolean): void {
  const show = useContext(ErrorTitle)
  useEffect(() => {
    if (!hasErrors) return
    show(true)
    return () => show(false)
  }, [hasErrors, show])
}

/** One page: its heading takes the focus when the page appears, so that a screen reader hears where it is. */
export function Page({ title, width = 'form', children }: PageProps) {
  const heading = useHeadingFocus()
  const { t } = useTranslation('ui')
  const [hasErrors, setHasErrors] = useState(false)
  useDocumentTitle(hasErrors ? t('errors.pageTitle', { title }) : title)
  return (
    <div className={`page page-${width}`}>
      <h1 ref={heading} tabIndex={-1} className="page-title">
        {title}
      </h1>
      <ErrorTitle value={setHasErrors}>{children}</ErrorTitle>
    </div>
  )
}
