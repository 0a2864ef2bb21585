import metadata from 'libphonenumber-js/min/metadata'
import type { Plugin } from 'vite'

/** Place of the formats in a country's row (libphonenumber-js, metadata of version 4; 0 stands for none there, too). */
const formatsAt = 4

/** The metadata of all countries without the formats, which are half of it and serve display alone. */
export function metadataWithoutFormats(): typeof metadata {
  const countries = Object.entries(metadata.countries).map(([country, row]) => [
    country,
    (row as readonly unknown[]).map((value, index) => (index === formatsAt ? 0 : value)),
  ])
  return { ...metadata, countries: Object.fromEntries(countries) }
}

/** The app composes and recognises phone numbers, and shows them as they were typed. */
export function phoneMetadata(): Plugin {
  return {
    name: 'phone-metadata',
    load: {
      filter: { id: /libphonenumber-js\/metadata\.min\.json\.js$/ },
      handler: () => `export default ${JSON.stringify(metadataWithoutFormats())}`,
    },
  }
}
