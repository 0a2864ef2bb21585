import type { ReactNode } from 'react'
import styles from './thread-picture.module.css'

const done = { stroke: 'var(--thread)' }
const torn = { stroke: 'var(--line)' }
const open = { ...torn, strokeDasharray: '6 7' }

/** The state of a payment that the thread shows: tied but not paid, torn, run back, or never drawn. */
export type ThreadState = 'pending' | 'declined' | 'refunded' | 'expired'

const threads: Record<ThreadState, ReactNode> = {
  pending: (
    <>
      <path {...done} d="M240 20C190 20 190 64 140 60" />
      <path {...open} d="M122 58C84 54 70 26 0 34" />
      <rect
        fill="var(--saffron)"
        {...done}
        x="122"
        y="50"
        width="18"
        height="18"
        rx="4"
        transform="rotate(45 131 59)"
      />
    </>
  ),
  declined: (
    <>
      <path {...done} d="M240 20C190 20 190 64 150 58l-9 4M150 58l-10-3M150 58l-8-8" />
      <path {...torn} d="M0 34C60 26 80 54 100 56l8-6M100 56l10 2M100 56l7 8" />
    </>
  ),
  refunded: <path {...done} d="M240 22C150 6 110 30 110 50a18 18 0 0 0 36 0C146 24 60 20 0 40" />,
  expired: <path {...open} d="M240 20C170 20 160 66 110 58S40 26 0 34" />,
}

/** The drawing of the thread, without a tag. The heading says the same, so the drawing is hidden from screen readers. */
export function ThreadPicture({ state }: { readonly state: ThreadState }) {
  return (
    <svg
      className={styles.picture}
      viewBox="0 0 240 92"
      fill="none"
      aria-hidden="true"
      focusable="false"
      data-screen
    >
      {threads[state]}
    </svg>
  )
}
