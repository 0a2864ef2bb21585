import fc from 'fast-check'
import { foldForSearch } from '#shared/platform/search.ts'
import { readPersonName } from '#shared/sessions/person-name.ts'

/** What is typed to find a name, by the desk and by an agent, and the name as it is stored. */
export const namePairs: readonly (readonly [typed: string, stored: string])[] = [
  // Compound names, written apart and together.
  ['عبدالرحمن', 'عبد الرحمن القحطاني'],
  ['عبد الرحمن', 'عبدالرحمن القحطاني'],
  ['عبدالله محمد', 'عبد الله محمد الغامدي'],
  ['ابوبكر', 'أبو بكر الصديق'],
  ['أبو بكر', 'ابوبكر صديق'],
  ['سيف الدين', 'سيف‌الدين حمدي'],
  ['نورالهدى', 'نور الهدى بنت سعيد'],
  ['القحطاني', 'سعد ال قحطاني'],
  ['abdulrahman', 'Abdul-Rahman Saleh'],
  ['abdul rahman', 'Abdulrahman Saleh'],
  ['alqahtani', 'Saad Al-Qahtani'],
  ['al-qahtani', 'Saad Alqahtani'],
  ['ahmad al harbi', 'Ahmad Saleh Alharbi'],
  ['noor ul ain', 'Noorulain Bibi'],
  ['lina', 'Li Na'],
  ['mary ann', 'Maryann Dela Cruz'],
  ['delacruz', 'Maryann Dela Cruz'],
  // Apostrophes of every kind.
  ['maruf', "Ma'ruf Amin"],
  ["ma'ruf", 'Maruf Amin'],
  ['numan', "Nu'man Bashir"],
  ['oneil', 'Sean O’Neil'],
  ["o'neil", 'Sean Oneil'],
  ['o neil', "Sean O'Neil"],
  ['saadi', 'Saʿdi Saʻadi'],
  ['abd', 'ʿAbd al-Raḥmān'],
  ['gulnora', 'Gulʼnora Toʻxtayeva'],
  // One letter in several forms.
  ['احمد', 'أَحْمَد'],
  ['فاطمه', 'فاطمة الزهراء'],
  ['مصطفي', 'مُصطفى'],
  ['موسسه', 'مؤسسة'],
  ['اسراء', 'إسرا بنت علي'],
  ['محمد', 'محـــمد'],
  ['كريم', 'کریم خان'],
  // Urdu, Persian, Sindhi, Pashto, Kurdish and Jawi on an Arabic keyboard.
  ['بت', 'محمد بٹ'],
  ['بهتي', 'نواز بھٹی'],
  ['برويز', 'پرویز مشرف'],
  ['شودري', 'شودری شجاعت'],
  ['جودهري', 'چودھری'],
  ['جوهان', 'چوہان'],
  ['كل', 'گل محمد'],
  ['خان', 'خاں صاحب'],
  ['نوازي', 'نوازے'],
  ['داكر', 'ڈاکر'],
  ['روزا', 'روژا'],
  ['غلام رسول', 'غلام رسول آرائیں'],
  ['علیرضا', 'علی\u200cرضا محمدی'],
  ['علی‌رضا', 'علی رضا محمدی'],
  ['علي رضا', 'علی\u200cرضا محمدی'],
  ['كوران', 'گۆران'],
  ['ولي', 'ولی خان څپاند'],
  // Latin letters with marks and without.
  ['yildiz', 'Elif Yıldız'],
  ['ELIF YILDIZ', 'Elif Yıldız'],
  ['isik', 'Işık Gül'],
  ['İLHAN', 'ilhan ilhan'],
  ['soren', 'Søren Kierkegaard'],
  ['lukasz', 'Łukasz Nowak'],
  ['dorde', 'Đorđe Petrović'],
  ['duc', 'Nguyễn Văn Đức'],
  ['nguyen van', 'Nguyễn Văn Đức'],
  ['strasse', 'Jörg Straße'],
  ['straße', 'Joerg Strasse'],
  ['jorg', 'Jörg Straße'],
  ['aesir', 'Æsir Œuvre'],
  ['thor', 'Þór Jónsson'],
  ['dangote', 'Ɗangote Ƙasim'],
  ['kasim', 'Ɗangote Ƙasim'],
  ['nunez', 'José Núñez'],
  ['dudaklı', 'Dudakli'],
  // The names of India, Bangladesh, Sri Lanka and South-East Asia.
  ['আব্দুর রহমান', 'আব্দুর রহমান'],
  ['রহমান', 'আব্দুর রহমান'],
  ['আব্দুররহমান', 'আব্দুর রহমান'],
  ['मोहम्मद', 'मोहम्मद आरिफ़'],
  ['आरिफ', 'मोहम्मद आरिफ़'],
  ['ज़ाकिर', 'जाकिर हुसैन'],
  ['खां', 'आमिर खाँ'],
  ['முகமது', 'முகமது அலி'],
  ['మహమ్మద్', 'మహమ్మద్ అలీ'],
  ['ಮೊಹಮ್ಮದ್', 'ಮೊಹಮ್ಮದ್ ಇರ್ಫಾನ್'],
  ['മുഹമ്മദ്', 'മുഹമ്മദ് ഷാഫി'],
  ['મોહમ્મદ', 'મોહમ્મદ પટેલ'],
  ['ਮੁਹੰਮਦ', 'ਮੁਹੰਮਦ ਸਦੀਕ'],
  ['අබ්දුල් කරීම්', 'අබ්දුල් කරීම්'],
  ['ක්රම්', 'අබ්දුල් ක්\u200dරම්'],
  ['มูฮัมหมัด', 'มูฮัมหมัด อาลี'],
  ['မိုဟာမက်', 'မိုဟာမက် အလီ'],
  ['އަހުމަދު', 'އަހުމަދު ނަޝީދު'],
  // Others.
  ['магомед', 'МАГОМЕД Алиев'],
  ['семен', 'Семён Йодов'],
  ['куанышбек', 'Қуанышбек'],
  ['αχμεντ', 'ΑΧΜΕΝΤ'],
  ['መሐመድ', 'መሐመድ አሊ'],
  ['王小明', '王 小明'],
  ['アリ', 'ｱﾘ ムハンマド'],
  ['김철', '김 철수'],
  ['𞤀𞤦𞤣𞤵𞤤', '𞤢𞤦𞤣𞤵𞤤 𞤐'],
  // Two letters are a whole word.
  ['Ng', 'Ng Wei Ming'],
  ['ng wei', 'Ng Wei Ming'],
  ['بٹ', 'محمد بٹ'],
  ['李明', '李 明'],
  ['李', '李 明'],
  ['m khan', 'Mohammed Khan'],
]

/** What must not find a name, though some of its letters are in it. */
export const otherNames: readonly (readonly [typed: string, stored: string])[] = [
  ['عبدالرحيم', 'عبد الرحمن'],
  ['রহিম', 'আব্দুর রহমান'],
  ['रहीम', 'रहमान'],
  ['ahmad omar', 'Ahmad Ali'],
  ['নাসির', 'নাসরিন'],
]

/** Scripts of the twenty largest nations, and of others that pilgrims come from. */
export const scriptsOfNames = [
  ...['Arabic', 'Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Armenian', 'Georgian', 'Syriac', 'Thaana', 'Nko'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...[
    'Sinhala',
    'Thai',
    'Lao',
    'Myanmar',
    'Khmer',
    'Tibetan',
    'Mongolian',
    'Ethiopic',
    'Tifinagh',
    'Javanese',
  ],
  ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Ol_Chiki', 'Meetei_Mayek', 'Adlam', 'Hanifi_Rohingya'],
] as const

/** A letter of Unicode 17 that stands for S. PostgreSQL does not know it yet and keeps it as it is. */
const newest = '\ua7f1'

/** Letters of a script and the marks that stand behind them. Capitals that Unicode has had for two years alone are left out. */
function lettersOf(script: string): string[] {
  const isOfScript = new RegExp(`^(?=[\\p{L}\\p{M}])\\p{Script=${script}}$`, 'u')
  return Array.from({ length: 0x1ffff }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .filter((letter) => isOfScript.test(letter) && letter !== newest)
    .filter((letter) => letter < '\u0590' || !/[\p{Lu}\p{Lt}]/u.test(letter))
}

const joints = [' ', ' ', '-', "'", '’', 'ʿ', '\u200c', '. ', '\u0640']

/** Names of three letters or more in a script, as sign-up stores them: of one to four words. */
export function namesIn(script: (typeof scriptsOfNames)[number]): fc.Arbitrary<string> {
  const letters = lettersOf(script)
  // A mark stands behind a letter.
  const first = fc.constantFrom(...letters.filter((letter) => /\p{L}/u.test(letter)))
  const word = fc
    .tuple(first, fc.array(fc.constantFrom(...letters), { maxLength: 7 }))
    .map(([letter, rest]) => letter + rest.join(''))
  const more = fc.array(fc.tuple(fc.constantFrom(...joints), word), { maxLength: 3 })
  return fc
    .tuple(word, more)
    .map(([one, rest]) => one + rest.map(([joint, next]) => joint + next).join(''))
    .map((typed) => readPersonName(typed))
    .map((read) => ('name' in read ? read.name : ''))
    .filter((name) => [...foldForSearch(name).replaceAll(' ', '')].length >= 3)
}
