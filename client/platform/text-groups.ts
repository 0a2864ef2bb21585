/**
 * The texts of a language are a file for each group, and a page brings those it shows (client/app/page-files.ts): of each feature
 * its own, of a tag's face, its place and its days what even the start page and the sign-in show, of everything else that
 * several features show one. Those of the frame come with the app. The desk has all of its own.
 */
export type TextGroup = 'frame' | 'tag' | 'entities' | FeatureWithTexts | 'desk'

/** The folders of client/features. */
type FeatureWithTexts =
  | 'account'
  | 'agent-orders'
  | 'booking'
  | 'checkout'
  | 'claims'
  | 'handovers'
  | 'home'
  | 'orders'
  | 'payment'
  | 'privacy'
  | 'sessions'
  | 'terms'
  | 'track'

const ofTag: ReadonlySet<string | undefined> = new Set(['airway-bill', 'location', 'promise'])

/** Of a catalogue `<namespace>.<language>.json`, by its folder. */
export function textGroupOf(path: string): TextGroup {
  const [, layer, folder] = /\/(features|entities)\/([\w-]+)\//.exec(path) ?? []
  if (layer === 'features') return folder as FeatureWithTexts
  if (layer === undefined) return 'frame'
  return ofTag.has(folder) ? 'tag' : 'entities'
}
