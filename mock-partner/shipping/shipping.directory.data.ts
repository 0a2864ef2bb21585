import type { Office, PartnerCity } from '#shared/wire/shipping/shipping.wire.ts'

/**
 * Rows of the simulated partner's directory. Cities, districts and centres are public geography (a city's
 * coordinates are its centre, rounded); streets, shops, camps, names and phones are plainly invented. The codes of
 * Riyadh, Jeddah, Madinah, Tabuk and Dammam are in the partner's documents; the others are IATA codes or invented
 * (docs/wires/shipping.md S27).
 */

interface CityRow {
  readonly en: string
  readonly ar: string
  readonly code: string
  readonly at: readonly [lat: number, lng: number]
  /** How many branches the city has; none for a city that is only served. */
  readonly branches: number
  readonly districts: readonly (readonly [en: string, ar: string])[]
}

export const saudiCityRows: readonly CityRow[] = [
  {
    en: 'Riyadh',
    ar: 'الرياض',
    code: 'RUH',
    at: [24.7, 46.733],
    branches: 66,
    districts: [
      ['Al Olaya', 'العليا'],
      ['As Suwaidi', 'السويدي'],
      ['Al Malaz', 'الملز'],
      ['As Sulaimaniyah', 'السليمانية'],
      ['Ar Rabwah', 'الربوة'],
      ['An Nasim', 'النسيم'],
      ['Al Yasmin', 'الياسمين'],
      ['Al Aqiq', 'العقيق'],
      ['Irqah', 'عرقة'],
      ['Ash Shifa', 'الشفا'],
      ['Al Murabba', 'المربع'],
      ['Al Wurud', 'الورود'],
      ['Al Muruj', 'المروج'],
      ['An Nuzhah', 'النزهة'],
      ['Al Malqa', 'الملقا'],
      ['Hittin', 'حطين'],
      ['An Narjis', 'النرجس'],
      ['Tuwaiq', 'طويق'],
      ['Ar Rawabi', 'الروابي'],
    ],
  },
  {
    en: 'Jeddah',
    ar: 'جدة',
    code: 'JED',
    at: [21.488, 39.181],
    branches: 52,
    districts: [
      ['Ar Rawdah', 'الروضة'],
      ['Ash Sharafiyah', 'الشرفية'],
      ['As Salamah', 'السلامة'],
      ['Al Hamra', 'الحمراء'],
      ['Al Safa', 'الصفا'],
      ['Al Marwah', 'المروة'],
      ['Al Naeem', 'النعيم'],
      ['Al Balad', 'البلد'],
      ['Quwayzah', 'قويزة'],
      ['An Nahdah', 'النهضة'],
      ['Al Basatin', 'البساتين'],
      ['As Samir', 'السامر'],
      ['Ar Rihab', 'الرحاب'],
      ['Al Bawadi', 'البوادي'],
    ],
  },
  {
    en: 'Makkah',
    ar: 'مكة المكرمة',
    code: 'MAK',
    at: [21.427, 39.843],
    branches: 20,
    districts: [
      ['Al Aziziyah', 'العزيزية'],
      ['Ar Rusayfah', 'الرصيفة'],
      ['Ash Shawqiyah', 'الشوقية'],
      ['Al Awali', 'العوالي'],
      ['Az Zahir', 'الزاهر'],
    ],
  },
  {
    en: 'Madinah',
    ar: 'المدينة المنورة',
    code: 'MED',
    at: [24.471, 39.608],
    branches: 20,
    districts: [
      ['Quba', 'قباء'],
      ['Al Khalidiyah', 'الخالدية'],
      ['Al Aqul', 'العاقول'],
      ['Sultanah', 'سلطانة'],
    ],
  },
  {
    en: 'Dammam',
    ar: 'الدمام',
    code: 'DMM',
    at: [26.442, 50.109],
    branches: 20,
    districts: [
      ['Al Faisaliyah', 'الفيصلية'],
      ['Ash Shati', 'الشاطئ'],
      ['Al Anud', 'العنود'],
      ['Badr', 'بدر'],
    ],
  },
  {
    en: 'Khobar',
    ar: 'الخبر',
    code: 'KBR',
    at: [26.217, 50.197],
    branches: 14,
    districts: [
      ['Al Aqrabiyah', 'العقربية'],
      ['Al Ulaya', 'العليا'],
      ['Ar Rakah', 'الراكة'],
    ],
  },
  {
    en: 'Taif',
    ar: 'الطائف',
    code: 'TIF',
    at: [21.27, 40.416],
    branches: 14,
    districts: [
      ['Shihar', 'شهار'],
      ['Al Hawiyah', 'الحوية'],
      ['Al Faisaliyah', 'الفيصلية'],
    ],
  },
  {
    en: 'Buraidah',
    ar: 'بريدة',
    code: 'ELQ',
    at: [26.33, 43.974],
    branches: 12,
    districts: [
      ['As Safra', 'الصفراء'],
      ['Al Iskan', 'الإسكان'],
    ],
  },
  {
    en: 'Tabuk',
    ar: 'تبوك',
    code: 'TUU',
    at: [28.415, 36.534],
    branches: 12,
    districts: [
      ['Al Muruj', 'المروج'],
      ['As Sulaymaniyah', 'السليمانية'],
    ],
  },
  {
    en: 'Khamis Mushait',
    ar: 'خميس مشيط',
    code: 'KMX',
    at: [18.306, 42.729],
    branches: 12,
    districts: [
      ['Ash Shifa', 'الشفا'],
      ['Al Wusam', 'الوسام'],
    ],
  },
  {
    en: 'Abha',
    ar: 'أبها',
    code: 'AHB',
    at: [18.217, 42.5],
    branches: 9,
    districts: [
      ['Al Mansak', 'المنسك'],
      ['Al Muwadhafin', 'الموظفين'],
    ],
  },
  {
    en: 'Hail',
    ar: 'حائل',
    code: 'HAS',
    at: [27.531, 41.697],
    branches: 9,
    districts: [
      ['An Nuqrah', 'النقرة'],
      ['Al Muntazah', 'المنتزه'],
    ],
  },
  {
    en: 'Jazan',
    ar: 'جازان',
    code: 'GIZ',
    at: [16.897, 42.554],
    branches: 8,
    districts: [
      ['Ar Rawdah', 'الروضة'],
      ['As Safa', 'الصفا'],
    ],
  },
  {
    en: 'Hofuf',
    ar: 'الهفوف',
    code: 'HOF',
    at: [25.383, 49.586],
    branches: 12,
    districts: [
      ['Al Mazrou', 'المزروع'],
      ['As Salihiyah', 'الصالحية'],
    ],
  },
  {
    en: 'Jubail',
    ar: 'الجبيل',
    code: 'QJB',
    at: [27.005, 49.658],
    branches: 9,
    districts: [
      ['Al Fanateer', 'الفناتير'],
      ['Al Huwaylat', 'الحويلات'],
    ],
  },
  {
    en: 'Najran',
    ar: 'نجران',
    code: 'EAM',
    at: [17.541, 44.266],
    branches: 7,
    districts: [['Al Faisaliyah', 'الفيصلية']],
  },
  {
    en: 'Yanbu',
    ar: 'ينبع',
    code: 'YNB',
    at: [24.094, 38.063],
    branches: 6,
    districts: [['Al Sharbatly', 'الشربتلي']],
  },
  {
    en: 'Hafar Al Batin',
    ar: 'حفر الباطن',
    code: 'AQI',
    at: [28.438, 45.98],
    branches: 6,
    districts: [['Al Muhammadiyah', 'المحمدية']],
  },
  {
    en: 'Al Kharj',
    ar: 'الخرج',
    code: 'AKH',
    at: [24.159, 47.327],
    branches: 6,
    districts: [['As Sahnah', 'السهنة']],
  },
  {
    en: 'Unaizah',
    ar: 'عنيزة',
    code: 'UZH',
    at: [26.084, 43.994],
    branches: 5,
    districts: [['Al Ashrafiyah', 'الأشرفية']],
  },
  {
    en: 'Sakaka',
    ar: 'سكاكا',
    code: 'AJF',
    at: [29.973, 40.214],
    branches: 5,
    districts: [['Az Zuhur', 'الزهور']],
  },
  {
    en: 'Arar',
    ar: 'عرعر',
    code: 'RAE',
    at: [30.972, 41.013],
    branches: 4,
    districts: [['Al Musadiyah', 'المساعدية']],
  },
  {
    en: 'Al Bahah',
    ar: 'الباحة',
    code: 'ABT',
    at: [20.013, 41.468],
    branches: 3,
    districts: [['Al Zafir', 'الظفير']],
  },
  {
    en: 'AlUla',
    ar: 'العلا',
    code: 'ULH',
    at: [26.635, 37.91],
    branches: 1,
    districts: [['Al Azizyah', 'العزيزية']],
  },
  {
    en: 'Rabigh',
    ar: 'رابغ',
    code: 'RBG',
    at: [22.794, 39.034],
    branches: 1,
    districts: [['As Samad', 'الصمد']],
  },
  { en: 'Bisha', ar: 'بيشة', code: 'BHH', at: [20.0, 42.605], branches: 3, districts: [['Nimran', 'نمران']] },
  {
    en: 'Qunfudhah',
    ar: 'القنفذة',
    code: 'QNF',
    at: [19.126, 41.079],
    branches: 1,
    districts: [['Al Khalidiyah', 'الخالدية']],
  },
  {
    en: 'Qatif',
    ar: 'القطيف',
    code: 'QTF',
    at: [26.556, 49.996],
    branches: 4,
    districts: [['Al Majidiyah', 'المجيدية']],
  },
  {
    en: 'Majmaah',
    ar: 'المجمعة',
    code: 'MJH',
    at: [25.904, 45.345],
    branches: 1,
    districts: [['Al Faihaa', 'الفيحاء']],
  },
  {
    en: 'Ar Rass',
    ar: 'الرس',
    code: 'RSS',
    at: [25.869, 43.497],
    branches: 2,
    districts: [['Ash Shuhada', 'الشهداء']],
  },
  {
    en: 'Duba',
    ar: 'ضباء',
    code: 'DUB',
    at: [27.351, 35.69],
    branches: 1,
    districts: [['Al Qastal', 'القسطل']],
  },
  {
    en: 'Turaif',
    ar: 'طريف',
    code: 'TUI',
    at: [31.672, 38.664],
    branches: 1,
    districts: [['Al Faisaliyah', 'الفيصلية']],
  },
  {
    en: 'Sabya',
    ar: 'صبيا',
    code: 'SBY',
    at: [17.15, 42.626],
    branches: 2,
    districts: [['Ar Rayyan', 'الريان']],
  },
  {
    en: 'Dawadmi',
    ar: 'الدوادمي',
    code: 'DWD',
    at: [24.507, 44.392],
    branches: 2,
    districts: [['Ar Rayyan', 'الريان']],
  },
  { en: 'Dhahran', ar: 'الظهران', code: 'DHA', at: [26.304, 50.123], branches: 0, districts: [] },
  { en: 'Mina', ar: 'منى', code: 'MNA', at: [21.4133, 39.8933], branches: 0, districts: [] },
]

export const foreignCities: readonly PartnerCity[] = [
  { cityName: 'Dubai', cityCode: 'DXB', countryCode: 'AE', currencyCode: 'AED', currencyName: 'UAE Dirham' },
  {
    cityName: 'Abu Dhabi',
    cityCode: 'AUH',
    countryCode: 'AE',
    currencyCode: 'AED',
    currencyName: 'UAE Dirham',
  },
  {
    cityName: 'Manama',
    cityCode: 'BAH',
    countryCode: 'BH',
    currencyCode: 'BHD',
    currencyName: 'Bahraini Dinar',
  },
]

export const streets: readonly (readonly [en: string, ar: string])[] = [
  ['Date Palm St.', 'شارع النخلة'],
  ['Old Market Rd.', 'طريق السوق القديم'],
  ['Lighthouse St.', 'شارع المنارة'],
  ['Wadi Rd.', 'طريق الوادي'],
  ['Jasmine St.', 'شارع الياسمينة'],
  ['Caravan Rd.', 'طريق القوافل'],
  ['Falcon St.', 'شارع الصقر'],
  ['Well Rd.', 'طريق البئر'],
  ['Pomegranate St.', 'شارع الرمان'],
  ['North Star St.', 'شارع نجم الشمال'],
  ['Oasis Rd.', 'طريق الواحة'],
  ['Lantern St.', 'شارع الفانوس'],
  ['Copper Market Rd.', 'طريق سوق النحاس'],
]

export const shifts: readonly (readonly [first: string, second: string])[] = [
  ['08:00 - 23:00', ''],
  ['08:00 - 23:00', ''],
  ['09:00 - 21:00', ''],
  ['08:00 - 23:00', ''],
  ['09:00 - 12:00', '16:00 - 21:00'],
]

/** As in the real list, some offices are abroad, which only their city shows; their shifts are empty. */
export const foreignOffices: readonly Office[] = [
  {
    code: '901',
    address: 'Creek Side, Pearl St., shop 4',
    cityName: 'Dubai',
    addressAR: 'جانب الخور - شارع اللؤلؤة، محل 4',
    coordinates: '25.247000,55.321000',
    firstShift: '',
    secondShift: '',
    weekendShift: 'OFF',
  },
  {
    code: '902',
    address: 'Marina Side, Sail St., shop 19',
    cityName: 'Dubai',
    addressAR: 'جانب المرسى - شارع الشراع، محل 19',
    coordinates: '',
    firstShift: '',
    secondShift: '',
    weekendShift: 'OFF',
  },
  {
    code: '903',
    address: 'Island Side, Mangrove Rd., shop 8',
    cityName: 'Abu Dhabi',
    addressAR: 'جانب الجزيرة - طريق القرم، محل 8',
    coordinates: '24.464000,54.384000',
    firstShift: '',
    secondShift: '',
    weekendShift: 'OFF',
  },
  {
    code: '904',
    address: 'Old Souq Side, Dhow St., shop 2',
    cityName: 'Manama',
    addressAR: 'جانب السوق القديم - شارع السفينة، محل 2',
    coordinates: '26.228000,50.586000',
    firstShift: '',
    secondShift: '',
    weekendShift: 'OFF',
  },
]

export const minaLocations: readonly (readonly [en: string, ar: string])[] = [
  ['Jamarat side', 'جهة الجمرات'],
  ['Al Khayf side', 'جهة الخيف'],
  ['Muzdalifah side', 'جهة مزدلفة'],
  ['Al Muaysim side', 'جهة المعيصم'],
]

export const makkahLocations: readonly (readonly [en: string, ar: string])[] = [
  ['Al Aziziyah', 'العزيزية'],
  ['Al Misfalah', 'المسفلة'],
  ['Ajyad', 'أجياد'],
  ['Kudai', 'كدي'],
  ['Ash Shishah', 'الششة'],
  ['Ar Rusayfah', 'الرصيفة'],
]
