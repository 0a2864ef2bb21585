import type { ReactNode } from 'react'
import { HelpLine } from '#client/entities/purchase/purchase-facts.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { useHeadingFocus } from '#client/ui/heading-focus.ts'
import { brand } from '#shared/platform/brand.ts'
import './result-screen.css'

interface ResultScreenProps {
  /** The heading, also used for the document's title. */
  readonly title: string
  /** A line above the heading. */
  readonly note?: ReactNode
  /** A drawing above the heading. */
  readonly picture?: ReactNode
  /** Below the heading; announced with it when it changes. */
  readonly lead?: ReactNode
  /** Announced at once. */
  readonly isAlert?: boolean
  readonly isDialog?: boolean
  /** Its tag hangs on the thread of the top bar. */
  readonly isClaim?: boolean
  readonly children?: ReactNode
}

const headingId = 'result-heading'

/** The page of one order. Its heading is a live region, because it changes while the page is open. */
export function ResultScreen(props: ResultScreenProps) {
  const { title, note, picture, lead, isAlert = false, isDialog = false, isClaim = false, children } = props
  const heading = useHeadingFocus()
  useDocumentTitle(title)
  return (
    <div
      className={isClaim ? 'result result-claim' : 'result'}
      // Not modal: the top bar stays usable.
      {...(isDialog ? { role: 'dialog', 'aria-labelledby': headingId } : {})}
    >
      {picture}
      <div className="result-head" role={isAlert ? 'alert' : 'status'}>
        {note}
        <h1 ref={heading} tabIndex={-1} id={headingId} className="result-title">
          {title}
        </h1>
        {lead ? <div className="result-lead">{lead}</div> : null}
      </div>
      {children}
    </div>
  )
}

/** How to reach us, where something has not gone as it should. */
export function ResultHelp() {
  return (
    <div className="result-help">
      <HelpLine phone={brand.contact.phone} />
    </div>
  )
}
