import type { MetadataJson } from 'libphonenumber-js/core'
import json from './phone-metadata.json' with { type: 'json' }

/** Data of the phone library about the numbers of each country, without formats (scripts/lib/phone-metadata.ts). */
export const phoneMetadata = json as unknown as MetadataJson
