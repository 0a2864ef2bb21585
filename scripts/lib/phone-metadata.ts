import metadata from 'libphonenumber-js/min/metadata'

/** Place of the formats in a country's row (libphonenumber-js, metadata of version 4; 0 stands for none there, too). */
const formatsAt = 4

/**
 * The metadata of phone numbers as the browser has it. The formats, half of it, are for display alone, and the app shows
 * numbers as they were typed. One country a line, so that an update of the library is a readable change.
 */
export function phoneMetadata(): string {
  const countries = Object.entries(metadata.countries).map(([country, row]) => {
    const fields = (row as readonly unknown[]).map((field, index) => (index === formatsAt ? 0 : field))
    return `${JSON.stringify(country)}:${JSON.stringify(fields)}`
  })
  const { countries: _, ...others } = metadata
  return `${JSON.stringify(others).slice(0, -1)},"countries":{\n${countries.join(',\n')}}}\n`
}
