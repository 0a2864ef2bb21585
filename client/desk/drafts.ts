import { readStoredJson, removeStored, storeJson, useStored } from '#client/platform/browser-storage.ts'

/** The unsent values of forms, by the name of each form. They are kept until the tab is closed, also without a session. */
interface Drafts {
  /** The operator who typed them. */
  by: string
  forms: Readonly<Record<string, object>>
}

function formsOf(by: string): Drafts['forms'] {
  const stored = readStoredJson('deskDrafts') as Drafts | null | undefined
  // The draft of another operator is not shown; the next draft replaces it.
  return stored?.by === by ? stored.forms : {}
}

export const draftOf = (by: string, name: string): object => formsOf(by)[name] ?? {}

/** A form without values is removed. */
export function keepDraft(by: string, name: string, values: object): void {
  const { [name]: _, ...others } = formsOf(by)
  const isEmpty = Object.values(values).every((value) => value === undefined || value === '')
  const forms = isEmpty ? others : { ...others, [name]: values }
  if (Object.keys(forms).length === 0) removeStored('deskDrafts')
  else storeJson('deskDrafts', { by, forms } satisfies Drafts)
}

/** The draft of a form that is one text. */
export function useDraft(by: string, name: string): readonly [string, (text: string) => void] {
  useStored('deskDrafts')
  const { text = '' }: { text?: string } = draftOf(by, name)
  return [text, (typed) => keepDraft(by, name, { text: typed })]
}
