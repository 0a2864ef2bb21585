import type { AtRule, Plugin } from 'postcss'
import { breakpoints } from '#client/ui/breakpoints.ts'

/*
 * The order of chunks decides nothing: each folder's styles are in a layer of their own, and a later layer wins whatever
 * the selectors weigh (docs/decisions/0013-own-code-kept.md).
 */

/** Weakest first. `antd` is what `StyleProvider` of desk/controls.tsx writes. */
const layers = ['base', 'antd', 'layout', 'ui', 'entities', 'features', 'app', 'desk']

/**
 * Puts every style sheet of the client into the layer of its folder; ui/base.css is the layer `base`, ui/layout.module.css
 * the layer `layout`. Writes the breakpoints
 * in where they are named.
 */
export function styleLayers(): Plugin {
  return {
    postcssPlugin: 'style-layers',
    Once(sheet, { AtRule }) {
      sheet.walkAtRules('media', (media) => {
        for (const [name, query] of Object.entries(breakpoints))
          media.params = media.params.replaceAll(`(${name})`, query)
      })
      const path = sheet.source?.input.file?.replaceAll('\\', '/') ?? ''
      // The last one: the folder of the repository may be called so, too.
      const folder = /.*\/client\/(\w+)\//.exec(path)?.[1] ?? ''
      if (!layers.includes(folder)) return
      const ofFile = /\/ui\/(base|layout)(?:\.module)?\.css$/.exec(path)?.[1]
      const layer: AtRule = new AtRule({ name: 'layer', params: ofFile ?? folder })
      layer.append(sheet.nodes)
      // Every sheet names all layers: the one that is loaded first sets their order.
      sheet.append(new AtRule({ name: 'layer', params: layers.join(', ') }), layer)
    },
  }
}
