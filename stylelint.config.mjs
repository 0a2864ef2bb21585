/**
 * Sides and sizes are inline and block, start and end, so that one style serves both directions of writing.
 * Formatting and mistakes are Biome's.
 */
export default {
  // What `--fix` turns physical sides into.
  languageOptions: { directionality: { block: 'top-to-bottom', inline: 'left-to-right' } },
  rules: {
    'property-layout-mappings': 'flow-relative',
    'value-keyword-layout-mappings': 'flow-relative',
  },
}
