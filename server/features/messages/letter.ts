import type { LanguageCode } from '#shared/platform/language.ts'

/** In the texts of a letter, `isolated` must mark each value inside a sentence. */
export interface Letter {
  readonly language: LanguageCode
  readonly subject: string
  readonly preview: string
  readonly parts: readonly LetterPart[]
}

export type LetterPart =
  | LetterText
  | { readonly kind: 'code'; readonly code: string; readonly text: string }
  | LetterTag
  | { readonly kind: 'places'; readonly places: readonly LetterPlace[] }
  | LetterLink
  | LetterFiles
  | LetterContact

export interface LetterText {
  readonly kind: 'title' | 'text' | 'strong' | 'quiet' | 'done'
  readonly text: string
}

export interface LetterTag {
  readonly kind: 'tag'
  readonly order: string
  readonly weight: string
  readonly to: string
  readonly city: string
  readonly at: string
  readonly letters: string | null
  readonly colour: string
  readonly receiver: { readonly label: string; readonly name: string } | null
  readonly bars: LetterBars | null
  readonly hint: string
}

export interface LetterBars {
  readonly awb: string
  readonly label: string
  readonly alt: string
}

export interface LetterPlace {
  readonly isEnd: boolean
  readonly label: string
  readonly name: string
  readonly lines: readonly string[]
  readonly deadline: string
  readonly storage: string
}

interface LetterLink {
  readonly kind: 'link'
  readonly label: string
  readonly url: string
}

export interface LetterFiles {
  readonly kind: 'files'
  readonly label: string
  readonly files: readonly { readonly label: string; readonly name: string }[]
}

export interface LetterContact {
  readonly kind: 'contact'
  readonly label: string
  readonly phone: string
  readonly email: string
}

/** Keeps a value, such as a name, from changing the order of the words around it. */
export const isolated = (value: string): string => (value === '' ? '' : `\u2068${value}\u2069`)

export const withoutMarks = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '')

export const plainLetter = ({ subject, parts }: Letter): string =>
  withoutMarks(
    parts
      .map(plainPart)
      .filter((paragraph) => paragraph !== '' && paragraph !== subject)
      .join('\n\n'),
  )

function plainPart(part: LetterPart): string {
  switch (part.kind) {
    case 'code':
      return lines(part.code, part.text)
    case 'tag':
      return lines(
        `${part.to}: ${[part.city, part.at].filter(Boolean).join(' · ')}`,
        part.receiver === null ? '' : `${part.receiver.label}: ${part.receiver.name}`,
        part.bars === null ? '' : `${part.bars.label}: ${part.bars.awb}`,
        part.hint,
      )
    case 'places':
      return part.places
        .map(({ label, name, deadline, storage, lines: more }) =>
          lines(`${label}: ${name}`, ...more, deadline, storage),
        )
        .join('\n\n')
    case 'link':
      return lines(`${part.label}:`, part.url)
    case 'files':
      return lines(`${part.label}:`, ...part.files.map(({ label, name }) => `${label}: ${name}`))
    case 'contact':
      return lines(part.label, part.phone, part.email)
    default:
      return part.text
  }
}

const lines = (...all: readonly string[]) => all.filter(Boolean).join('\n')
