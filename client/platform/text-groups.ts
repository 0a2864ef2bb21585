/**
 * The texts of a language are a file for each group, and a page brings those it shows (client/app/routes.ts): of each feature
 * its own, of a tag's face and its place what even the sign-in shows, of everything else that several features show one. Those
 * of the frame come with the app. The desk has all of its own.
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
  | 'track'

/** Of a catalogue `<namespace>.<language>.json`, by its folder. */
export function textGroupOf(path: string): TextGroup {
  const [, layer, folder] = /\/(features|entities)\/([\w-]+)\//.exec(path) ?? []
  if (layer === 'features') return folder as FeatureWithTexts
  if (layer === undefined) return 'frame'
  return folder === 'airway-bill' || folder === 'location' ? 'tag' : 'entities'
}
