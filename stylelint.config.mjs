import stylelint from 'stylelint'

const words = 'client/ui/layout.module.css'
/** Drawings arrange and size their parts by the drawing's own measures. */
const drawings = [
  'client/entities/airway-bill/*.css',
  'client/entities/location/city-block.module.css',
  'client/entities/tag/*.css',
  'client/features/handovers/received-screen.module.css',
  'client/features/home/home.module.css',
  'client/ui/{cord,knot,scene,tag,tents,wordmark}.module.css',
]

const isNamedSize = /^(?:inherit|[\d.]+em|var\(--text(?:-\w+)?\))$/

/** A rule in a media query switches a layout, and a pseudo-element has no class: neither can take a word. */
function canTakeWord(declaration) {
  if (declaration.parent.selector?.includes('::')) return false
  for (let node = declaration.parent; node !== undefined; node = node.parent)
    if (node.type === 'atrule' && node.name !== 'layer') return false
  return true
}

const layoutWords = stylelint.createPlugin('amtiati/layout-words', () => (root, result) => {
  const report = (node, message) =>
    stylelint.utils.report({ ruleName: 'amtiati/layout-words', result, node, message })
  root.walkDecls('display', (node) => {
    if (/^(?:flex|grid)$/.test(node.value) && canTakeWord(node))
      report(node, `write a word of ${words} at the element in place of "display: ${node.value}"`)
  })
  root.walkDecls('font-size', (node) => {
    if (!isNamedSize.test(node.value))
      report(node, `write a role of text (--text… in client/ui/tokens.css) in place of "${node.value}"`)
  })
})

/**
 * Sides and sizes are inline and block, start and end, so that one style serves both directions of writing. Layouts are named by
 * words and sizes of text by roles. Formatting and mistakes are Biome's.
 */
export default {
  plugins: [layoutWords],
  // What `--fix` turns physical sides into.
  languageOptions: { directionality: { block: 'top-to-bottom', inline: 'left-to-right' } },
  rules: {
    'property-layout-mappings': 'flow-relative',
    'value-keyword-layout-mappings': 'flow-relative',
    'amtiati/layout-words': true,
    'property-disallowed-list': [
      ['overflow-block', 'overflow-inline'],
      { message: 'Safari does not know it: write "overflow", because the other axis scrolls anyway' },
    ],
  },
  overrides: [{ files: [words, ...drawings], rules: { 'amtiati/layout-words': null } }],
}
