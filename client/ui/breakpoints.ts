/**
 * The widths at which the layout changes, by the names of style sheets (`@media (--desk)`): 390, 600, 768 and 1024 px. The
 * build writes them in (client/app/style-layers.plugin.ts).
 */
export const breakpoints = {
  '--small-phone': '(max-width: 389.98px)',
  '--phone': '(max-width: 599.98px)',
  '--over-phone': '(min-width: 600px)',
  '--one-column': '(max-width: 767.98px)',
  '--two-columns': '(min-width: 768px)',
  '--under-desk': '(max-width: 1023.98px)',
  '--desk': '(min-width: 1024px)',
} as const
