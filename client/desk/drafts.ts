import { readStoredJson, removeStored, storeJson, useStored } from '#client/platform/browser-storage.ts'

/** What a form holds that was not sent. */
interface Draft {
  readonly text?: string | undefined
  /** What else was filled in or chosen, by the names of its fields. */
  readonly fields?: object
}

/** By the name of its place. It outlives the page and the session, not the tab. */
interface Drafts {
  readonly by: string
  readonly forms: Readonly<Record<string, Draft>>
}

function formsOf(by: string): Drafts['forms'] {
  const stored = readStoredJson('deskDrafts') as Drafts | null | undefined
  // Of another person: it is not shown, and what is filled in next takes its place.
  return stored?.by === by ? stored.forms : {}
}

function keep(by: string, place: string, draft: Draft): void {
  const { [place]: _, ...others } = formsOf(by)
  const isEmpty = draft.fields === undefined && (draft.text ?? '') === ''
  const forms = isEmpty ? others : { ...others, [place]: draft }
  if (Object.keys(forms).length === 0) removeStored('deskDrafts')
  else storeJson('deskDrafts', { by, forms } satisfies Drafts)
}

/** @param by the name of the signed-in person. An empty text is none. */
export function useDraft(by: string, place: string): readonly [string, (text: string) => void] {
  useStored('deskDrafts')
  return [
    formsOf(by)[place]?.text ?? '',
    (text) => keep(by, place, { ...formsOf(by)[place], text: text === '' ? undefined : text }),
  ]
}

/** The other fields of the form of that place. @param initial before any is filled in */
export function useDraftFields<F extends object>(
  by: string,
  place: string,
  initial: F,
): readonly [F, (change: Partial<F>) => void] {
  useStored('deskDrafts')
  const { fields } = formsOf(by)[place] ?? {}
  return [
    { ...initial, ...fields },
    (change) => {
      const draft = formsOf(by)[place]
      keep(by, place, { ...draft, fields: { ...draft?.fields, ...change } })
    },
  ]
}

/** What the form held was sent. */
export const forgetDraft = (by: string, place: string): void => keep(by, place, {})
