import { readStoredJson, removeStored, storeJson, useStored } from '#client/platform/browser-storage.ts'

/** What a person has typed and not sent, by the name of its place. It outlives the page and the session, not the tab. */
interface Drafts {
  readonly by: string
  readonly texts: Readonly<Record<string, string>>
}

function draftsOf(by: string): Drafts {
  const stored = readStoredJson('deskDrafts') as Drafts | null | undefined
  // Of another person: it is not shown, and the next text takes its place.
  return stored?.by === by ? stored : { by, texts: {} }
}

/** @param by the name of the signed-in person. An empty text is none. */
export function useDraft(by: string, place: string): readonly [string, (text: string) => void] {
  useStored('deskDrafts')
  return [
    draftsOf(by).texts[place] ?? '',
    (text) => {
      const { [place]: _, ...others } = draftsOf(by).texts
      const texts = text === '' ? others : { ...others, [place]: text }
      if (Object.keys(texts).length === 0) removeStored('deskDrafts')
      else storeJson('deskDrafts', { by, texts })
    },
  ]
}
