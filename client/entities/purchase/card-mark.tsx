import type { ReactNode } from 'react'
import { Ltr } from '#client/ui/ltr.tsx'
import styles from './purchase.module.css'

interface Mark {
  readonly width: number
  readonly drawing: ReactNode
}

/** Drawn by us, 30 high, for white paper in both schemes. */
const marks: Readonly<Record<string, Mark>> = {
  mada: {
    width: 60,
    drawing: (
      <>
        <path fill="#259bd6" d="M5 7h14v7H5z" />
        <path fill="#84b740" d="M5 16h14v7H5z" />
        <path
          fill="none"
          stroke="#231f20"
          strokeWidth="2"
          d="M24 20v-7M24 15.5q0-2.5 2-2.5t2 2.5V20M28 15.5q0-2.5 2-2.5t2 2.5V20M41 16.5a3 3 0 1 1-6 0a3 3 0 1 1 6 0M41 13v7M49 16.5a3 3 0 1 1-6 0a3 3 0 1 1 6 0M49 8v12M57 16.5a3 3 0 1 1-6 0a3 3 0 1 1 6 0M57 13v7"
        />
      </>
    ),
  },
  Visa: {
    width: 48,
    drawing: (
      <path
        fill="#1434cb"
        d="M8.2 9.5h3.4l1.5 7.4 3.5-7.4h3.6l-5.6 11h-3.8Zm13.1 0h3.4l-1.9 11h-3.4Zm11.2.3-.5 2.7q-3.3-1-3.4.1 0 .5 1.3 1.1 2.3 1 1.9 3.2-.6 3.9-7.3 3.5l.5-2.8q3.4.6 3.5-.6 0-.6-1.4-1.1-2.3-1-1.9-3.1.6-3.8 7.3-3Zm5-.3h3.3l2.2 11h-3.2l-.3-1.8h-3.3l-.8 1.8h-3.5Zm1 3-1.4 3.6h2Z"
      />
    ),
  },
  Mastercard: {
    width: 48,
    drawing: (
      <>
        <circle fill="#eb001b" cx="19" cy="15" r="10" />
        <circle fill="#f79e1b" cx="29" cy="15" r="10" />
        <path fill="#ff5f00" d="M24 6.34a10 10 0 0 1 0 17.32a10 10 0 0 1 0-17.32Z" />
      </>
    ),
  },
}

/** The mark of a card's brand; a brand without one is written. */
export function CardMark({ card }: { readonly card: string }) {
  const mark = marks[card]
  if (mark === undefined) return <Ltr>{card}</Ltr>
  return (
    <>
      <svg className={styles.mark} viewBox={`0 0 ${mark.width} 30`} aria-hidden="true" focusable="false">
        {mark.drawing}
      </svg>
      <span className="visually-hidden" translate="no">
        {card}
      </span>
    </>
  )
}
