import { useLanguage } from '#client/platform/i18n.ts'
import { brand } from '#shared/platform/brand.ts'
import styles from './wordmark.module.css'

interface Drawing {
  readonly className: string | undefined
  readonly viewBox: string
  readonly lines: string
  readonly details: string
  readonly dots?: string
}

/** By the name that they spell: a renamed product shows its name as text until it has a drawing of its own. */
const drawings: Readonly<Record<string, Drawing>> = {
  أمتعتي: {
    className: styles.arabic,
    viewBox: '0 0 206 118',
    lines:
      'M198 70V25M170 70a14 14 0 1 1 14-14a14 14 0 0 1-14 14H20a12 12 0 0 0 0 24H204M138 70V46M95 69l19-27H76ZM52 70V46',
    details: 'M205 2h-8v7h8l-14 6',
    dots: 'M124 28h9M143 28h9M38 28h9M57 28h9M38 113h9M57 113h9',
  },
  Amtiati: {
    className: styles.latin,
    viewBox: '0 0 286 78',
    lines:
      'M14 72L40 10L66 72M0 52H56M84 72V26M84 46a13 13 0 0 1 26 0V72M110 46a13 13 0 0 1 26 0V72M160 8V58a8 8 0 0 0 8 8h6M148 32h26M190 26V72M222 33a16.5 16.5 0 1 0 0 33a16.5 16.5 0 0 0 0-33M238.5 26V72M257 8V58a8 8 0 0 0 8 8h2M246 32h21M280 26V72',
    details: '',
    dots: 'M184 11h12M274 11h12',
  },
}

/** The name of the product, drawn. The thread leaves it at the strap, whose height the class gives. */
export function Wordmark() {
  const name = brand.name[useLanguage()]
  const drawing = drawings[name]
  if (drawing === undefined) return <span className={styles.text}>{name}</span>
  const { className, viewBox, lines, details, dots } = drawing
  return (
    <span className={`${styles.wordmark} ${className}`}>
      <svg viewBox={viewBox} role="img" aria-label={name} focusable="false">
        <path d={lines} />
        {details === '' ? null : <path className={styles.details} d={details} />}
        <path className={styles.dots} d={dots} />
      </svg>
    </span>
  )
}
