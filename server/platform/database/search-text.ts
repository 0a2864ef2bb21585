import type { DatabaseSync } from 'node:sqlite'
import { latinDigits } from '#shared/platform/phone.ts'
import { searchTextOf } from '#shared/platform/search.ts'
import { classOf, leftOut, sameLetters, separators } from '#shared/platform/spelling.ts'

export const searchedNames = { users: 'name', bookings: 'receiver_name' } as const
export type SearchedTable = keyof typeof searchedNames

export const phoneEndOf = (column: string) => `substr(${column}, length(${column}) - 3)`

export const searchText = 'search_text'

/** A program without this SQL function can read the SQLite file, but cannot write names into it. */
export function addSearchText(file: DatabaseSync): void {
  file.function(searchText, { deterministic: true }, (text) =>
    text === null ? null : searchTextOf(String(text)),
  )
}

const escaped = (point: number) =>
  point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`

const digits = Array.from({ length: 0x1ffff }, (_, point) => point)
  .filter((point) => point > 0x7f && (point < 0xd800 || point > 0xdfff))
  .map((point) => String.fromCodePoint(point))
  .filter((letter) => /\p{Nd}/u.test(letter) && letter.normalize('NFKD') === letter)

export function postgresSearchText(): string {
  const single = sameLetters.filter(([, as]) => as.length === 1)
  const from = single.map(([letters]) => letters).join('')
  const to = single.map(([letters, as]) => as.repeat([...letters].length)).join('')
  const longer = sameLetters.flatMap(([letters, as]) =>
    as.length === 1 ? [] : [...letters].map((letter) => [letter, as] as const),
  )
  const spelled = longer.reduce(
    (text, [letter, as]) => `replace(${text}, '${letter}', '${as}')`,
    `translate(folded, '${from}', '${to}')`,
  )
  return `CREATE OR REPLACE FUNCTION ${searchText}(written text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      folded text := lower(normalize(written, NFKD));
      joined text;
    BEGIN
      IF octet_length(folded) > length(folded) THEN
        folded := regexp_replace(folded, '${classOf(leftOut, escaped)}', '', 'g');
        -- Few names have one of these letters, and to look for each of them takes the longest.
        IF folded ~ '[${sameLetters.map(([letters]) => letters).join('')}]' THEN
          folded := ${spelled};
        END IF;
        IF folded ~ '[${digits.join('')}]' THEN
          folded := translate(folded, '${digits.join('')}', '${digits.map(latinDigits).join('')}');
        END IF;
      END IF;
      folded := btrim(regexp_replace(folded, '${classOf(separators, escaped)}+', ' ', 'g'));
      IF folded = '' THEN
        RETURN '';
      END IF;
      joined := replace(folded, ' ', '');
      RETURN CASE WHEN joined = folded THEN ' ' || folded || ' ' ELSE ' ' || folded || ' ' || joined || ' ' END;
    END $$`
}
