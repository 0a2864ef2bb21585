import { cityCode } from '#shared/platform/city-codes.ts'
import styles from './city-block.module.css'

const coloured: ReadonlySet<string> = new Set(['RUH', 'JED', 'DMM', 'MED'])

/** The class that sets `--city`, the colour of a city; colour never stands without the city's letters. */
export function cityClass(city: string | undefined): string | undefined {
  const code = cityCode(city)
  return code !== undefined && coloured.has(code) ? styles[code.toLowerCase()] : styles.other
}

interface CityBlockProps {
  readonly city: string | undefined
}

/**
 * The three letters of a city on its colour, as on the label. Beside the city's name, so it is hidden from screen
 * readers; nothing for a city without letters.
 */
export function CityBlock({ city }: CityBlockProps) {
  const code = cityCode(city)
  if (code === undefined) return null
  return (
    <span className={`${styles.block} ${cityClass(city)}`} aria-hidden="true" translate="no">
      {code}
    </span>
  )
}
