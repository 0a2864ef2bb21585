import { type ReactNode, useEffect, useRef } from 'react'
import { useDocumentTitle } from './document-title.ts'
import './page.css'

interface PageProps {
  /** The heading of the page and, with the name of the product, the title of the document. */
  title: string
  /** `form`: at most 640 px. `table`: at most 1120 px. */
  width?: 'form' | 'table'
  children?: ReactNode
}

// The browser itself announces the first page; moving the focus then would only skip the top bar.
let hasShownPage = false

/** One page: its heading takes the focus when the page appears, so that a screen reader hears where it is. */
export function Page({ title, width = 'form', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(!hasShownPage)
  useDocumentTitle(title)
  useEffect(() => {
    hasShownPage = true
    if (!isFirst.current) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={`page page-${width}`}>
      <h1 ref={heading} tabIndex={-1} className="page-title">
        {title}
      </h1>
      {children}
    </div>
  )
}
