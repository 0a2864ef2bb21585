import { cityCode } from '#shared/platform/city-codes.ts'
import styles from './city-block.module.css'

const coloured: ReadonlySet<string> = new Set(['RUH', 'JED', 'DMM', 'MED'])

/** The token of a city's colour, by its three letters, without which the colour never stands: `--city-ruh`. */
export function cityToken(code: string | undefined): string {
  return code !== undefined && coloured.has(code) ? `--city-${code.toLowerCase()}` : '--city-other'
}

/** The class that sets `--city` to it. */
export function cityClass(city: string | undefined): string | undefined {
  return styles[cityToken(cityCode(city)).slice(7)]
}

interface CityBlockProps {
  readonly city: string | undefined
}

/**
 * The three letters of a city on its colour, as on the label. It stands beside the city's name, so it is hidden from
 * screen readers. A city without letters has no block.
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
