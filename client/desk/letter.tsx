import styles from './letter.module.css'

/** The first letter of an operator's name, shown next to the name. */
export function Letter({ name, isYou = false }: { readonly name: string; readonly isYou?: boolean }) {
  return (
    <span className={isYou ? `${styles.letter} ${styles.you}` : styles.letter} aria-hidden="true">
      {[...name.trim()][0]}
    </span>
  )
}
