/**
 * The texts of a language are in one file for each group, and a page loads the groups that it shows (client/app/page-files.ts).
 * Each feature is a group. `tag`: the face of a tag, its place and its days, which even the start page and the sign-in show.
 * `entities`: other texts that several features show. `frame`: loaded with the app. `desk`: all texts of the desk.
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

/** The group of a catalogue `<namespace>.<language>.json`, by its folder. */
export function textGroupOf(path: string): TextGroup {
  const [, layer, folder] = /\/(features|entities)\/([\w-]+)\//.exec(path) ?? []
  if (layer === 'features') return folder as FeatureWithTexts
  if (layer === undefined) return 'frame'
  return ofTag.has(folder) ? 'tag' : 'entities'
}
