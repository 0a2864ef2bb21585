/**
 * The letters of Riyadh, Jeddah, Madinah, Tabuk and Dammam are the partner's; all others come from IATA or our
 * simulator (docs/wires/shipping.md S27).
 */
const codes: Readonly<Record<string, string>> = {
  Riyadh: 'RUH',
  Jeddah: 'JED',
  Makkah: 'MAK',
  Madinah: 'MED',
  Dammam: 'DMM',
  Khobar: 'KBR',
  Taif: 'TIF',
  Buraidah: 'ELQ',
  Tabuk: 'TUU',
  'Khamis Mushait': 'KMX',
  Abha: 'AHB',
  Hail: 'HAS',
  Jazan: 'GIZ',
  Hofuf: 'HOF',
  Jubail: 'QJB',
  Najran: 'EAM',
  Yanbu: 'YNB',
  'Hafar Al Batin': 'AQI',
  'Al Kharj': 'AKH',
  Unaizah: 'UZH',
  Sakaka: 'AJF',
  Arar: 'RAE',
  'Al Bahah': 'ABT',
  AlUla: 'ULH',
  Rabigh: 'RBG',
  Bisha: 'BHH',
  Qunfudhah: 'QNF',
  Qatif: 'QTF',
  Majmaah: 'MJH',
  'Ar Rass': 'RSS',
  Duba: 'DUB',
  Turaif: 'TUI',
  Sabya: 'SBY',
  Dawadmi: 'DWD',
  Dhahran: 'DHA',
  Mina: 'MNA',
}

/** Returns no letters for an unknown city, because guessed letters on the label would mislead. */
export function cityCode(english: string | undefined): string | undefined {
  return english !== undefined && Object.hasOwn(codes, english) ? codes[english] : undefined
}

export const codedCities: readonly string[] = Object.keys(codes)
