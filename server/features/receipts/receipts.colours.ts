/** Names and values must be those of the light scheme in client/ui/tokens.css. */
export const colours = {
  primary: '#0b5d51',
  ink: '#14211e',
  muted: '#4b5b56',
  line: '#737e79',
  rule: '#e0d5bd',
  thread: '#a06a00',
  saffron: '#f2b33d',
  'saffron-edge': '#c98a12',
  'saffron-thread': '#7a4e00',
  paid: '#1b6e3c',
  'paper-rule': '#cfc6b0',
  'city-ruh': '#0b5d51',
  'city-jed': '#8a3b12',
  'city-dmm': '#1f4e8c',
  'city-med': '#5b3a86',
  'city-other': '#44525f',
} as const

/** A colour alone does not identify a city, so the city's letters must be shown, too. */
export function cityColour(letters: string | null): string {
  const own = `city-${letters?.toLowerCase()}`
  return Object.hasOwn(colours, own) ? colours[own as keyof typeof colours] : colours['city-other']
}
