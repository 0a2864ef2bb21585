/**
 * The texts of a language are a file for each group: those of the frame come with the app, the start page and the privacy
 * policy bring their own, because many visitors see nothing else, claims are read by few, and all other pages share one. The
 * desk has all of its own.
 */
export type TextGroup = 'frame' | 'home' | 'privacy' | 'claims' | 'pages' | 'desk'

/** Of a catalogue `<namespace>.<language>.json`, by its folder. */
export function textGroupOf(path: string): TextGroup {
  if (path.includes('/features/home/')) return 'home'
  if (path.includes('/features/privacy/')) return 'privacy'
  if (path.includes('/features/claims/')) return 'claims'
  return /\/(?:features|entities)\//.test(path) ? 'pages' : 'frame'
}
