import type { ReactNode } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import layout from '#client/ui/layout.module.css'
import styles from './not-in-the-bag.module.css'

// The colours of the scheme.
const light = { fill: 'var(--picture-light)' }
const full = { fill: 'var(--picture-full)' }
const print = { stroke: 'var(--picture-print)' }
const printed = { fill: 'var(--picture-print)' }

const pictures = {
  cash: (
    <>
      <path {...light} d="M10 22h44v26H10z" />
      <path {...full} d="M18 12h44v26H18z" />
      <path {...printed} d="M40 19a6 6 0 1 0 0 12a6 6 0 0 0 0-12z" />
      <path {...print} d="M24 18v.01M56 32v.01" />
    </>
  ),
  documents: (
    <>
      <path {...light} d="M26 6h26a4 4 0 0 1 4 4v34H26z" />
      <path {...full} d="M18 8h24a4 4 0 0 1 4 4v36a4 4 0 0 1-4 4H18z" />
      <path
        {...print}
        d="M32 17a8 8 0 1 0 0 16a8 8 0 0 0 0-16M24 25h16M32 17c-5 5-5 11 0 16M32 17c5 5 5 11 0 16M26 42h12"
      />
    </>
  ),
  medicine: (
    <>
      <path {...light} d="M16 20h26v28a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4z" />
      <path {...printed} d="M16 28h26v14H16z" />
      <path d="M29 31v8M25 35h8" />
      <path {...full} d="M14 8h30v12H14z" />
      <path {...full} d="M47 40l6.5-6.5a5 5 0 0 1 7 7L54 47z" />
      <path {...light} d="M47 40l7 7-5.5 5.5a5 5 0 0 1-7-7z" />
    </>
  ),
  batteries: (
    <>
      <path {...light} d="M26 6h22a5 5 0 0 1 5 5v34a5 5 0 0 1-5 5H26a5 5 0 0 1-5-5V11a5 5 0 0 1 5-5z" />
      <path {...full} d="M39 13L28 30h7l-2 13 12-18h-7z" />
      <path d="M33 6V3h8v3M26 46h4" />
    </>
  ),
} satisfies Readonly<Record<string, ReactNode>>

type Thing = keyof typeof pictures
const things = Object.keys(pictures) as Thing[]

const across = 'M12 50L60 6'

/** What may not be in the bag, as pictures with a word each. */
export function NotInTheBag() {
  const { t } = useTranslation('purchase')
  return (
    <ul className={`${layout.grid} ${layout.gap2} ${styles.things}`}>
      {things.map((thing) => (
        <li key={thing}>
          <svg viewBox="0 0 72 56" aria-hidden="true" focusable="false">
            <g>{pictures[thing]}</g>
            <path className={styles.halo} d={across} />
            <path className={styles.stroke} d={across} />
          </svg>
          <span>{t(`notInTheBag.${thing}`)}</span>
        </li>
      ))}
    </ul>
  )
}
