/**
 * The gateway and the apps fold queries by this table, and both databases fold names by it. A change needs a migration
 * that builds the indexes again (test/repo/migrations.test.ts).
 */

type Points = string

/**
 * Folding removes hidden characters, including ZWNJ and ZWJ, hamza and tatweel, marks of Latin, Greek, Cyrillic, Hebrew
 * and Arabic letters, and the dot of Devanagari, Gurmukhi and Gujarati, which not everyone writes in borrowed sounds.
 * Every other mark of the scripts of India and of South-East Asia is a vowel or belongs to a letter, and stays.
 */
export const leftOut: Points = [
  'ad 61c 180b-180f 200b-200f 202a-202e 2060-206f fe00-fe0f feff',
  '621 640 674 93c a3c abc',
  '300-36f 483-487 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7',
  '610-61a 64b-65f 670 6d6-6dc 6df-6e8 6ea-6ed 8d3-8e1 8e3-8ff',
  '1ab0-1aff 1dc0-1dff 20d0-20ff fe20-fe2f',
].join(' ')

export const separators: Points = [
  '0-2f 3a-40 5b-60 7b-a9 ab-b4 b6-b9 bb-bf d7 f7 2b9-2ff 375 37e 387',
  '55a-55f 589-58a 58d-58f 5be 5c0 5c3 5c6 5f3-5f4 600-60f 61b 61d-61f 66a-66d 6d4 6dd-6de 6e9 700-70d',
  '964-965 970 df4 e3f e4f e5a-e5b f0b-f0d 104a-104f 10fb 1360-1368 17d4-17d6 17d8-17db 1800-180a',
  '2000-200a 2010-2029 202f-205f 207a-207e 208a-208e 20a0-20cf 2100-2bff 2e00-2e7f',
  '3000-3004 3008-3020 3030 303d-303f 30a0 30fb e000-f8ff fd3e-fd3f fdfc-fdff fe10-fe6f fffc-fffd 1f000-1faff',
].join(' ')

/**
 * Folding replaces each of `letters` by `as`, because people who search do not distinguish them. Letters are in lower
 * case and decomposed. Every keyboard of the script has `as`.
 */
export const sameLetters: readonly (readonly [letters: string, as: string])[] = [
  ['ٱ', 'ا'],
  ['ٻپڀ', 'ب'],
  ['ٹٺټٽٿ', 'ت'],
  ['څچڃڄڇځ', 'ج'],
  ['ڈډڊڌڍ', 'د'],
  ['ڑړڔڕڙ', 'ر'],
  ['ژږ', 'ز'],
  ['ښ', 'س'],
  ['ڠ', 'غ'],
  ['ڤڦ', 'ف'],
  ['کڪګگڭڱڳݢ', 'ك'],
  ['ڵ', 'ل'],
  ['ںڻڼڽ', 'ن'],
  ['ةھہۃە', 'ه'],
  ['ۆۇۈۋۏ', 'و'],
  ['ىیےېێۍؠ', 'ي'],
  ['ँ', 'ं'],
  ['ς', 'σ'],
  ['ғґ', 'г'],
  ['є', 'е'],
  ['і', 'и'],
  ['қ', 'к'],
  ['ң', 'н'],
  ['ө', 'о'],
  ['үұ', 'у'],
  ['ҳһ', 'х'],
  ['ҷ', 'ч'],
  ['ә', 'а'],
  ['ɓ', 'b'],
  ['đðɗ', 'd'],
  ['ɛ', 'e'],
  ['ħ', 'h'],
  ['ıɨ', 'i'],
  ['ƙ', 'k'],
  ['ł', 'l'],
  ['ŋ', 'n'],
  ['øɔ', 'o'],
  ['ŧ', 't'],
  ['ʉ', 'u'],
  ['ƴ', 'y'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
]

export function classOf(points: Points, escaped: (point: number) => string): string {
  const ranges = points.split(' ').map((range) =>
    range
      .split('-')
      .map((hex) => escaped(Number.parseInt(hex, 16)))
      .join('-'),
  )
  return `[${ranges.join('')}]`
}
