import { useLanguage } from '#client/platform/i18n.ts'
import { brand } from '#shared/platform/brand.ts'
import { wordmarks } from '#shared/platform/wordmark.ts'
import styles from './wordmark.module.css'

/** The class that sets the height at which the thread leaves the name. */
const straps: Readonly<Record<string, string | undefined>> = {
  أمتعتي: styles.arabic,
  Amtiati: styles.latin,
}

/** The name of the product, drawn. The thread leaves it at the strap, whose height the class gives. */
export function Wordmark() {
  const name = brand.name[useLanguage()]
  const drawing = wordmarks[name]
  if (drawing === undefined) return <span className={styles.text}>{name}</span>
  const { width, height, strokes } = drawing
  return (
    <span className={`${styles.wordmark} ${straps[name]}`}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={name} focusable="false">
        {strokes.map(([path, strokeWidth]) => (
          <path key={path} d={path} strokeWidth={strokeWidth} />
        ))}
      </svg>
    </span>
  )
}
