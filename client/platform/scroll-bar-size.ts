/*
 * In place of antd's module of this name (vite.config.ts), which measures the scroll bars of a table with a style sheet of its
 * own: the content policy refuses that. Our tables have the browser's scroll bars.
 */

let width: number | undefined

function measuredWidth(): number {
  const box = document.createElement('div')
  box.style.cssText = 'position: absolute; inline-size: 100px; block-size: 100px; overflow: scroll'
  document.body.append(box)
  const measured = box.offsetWidth - box.clientWidth
  box.remove()
  return measured
}

// biome-ignore lint/style/noDefaultExport: antd imports it so
export default function getScrollBarSize(): number {
  width ??= measuredWidth()
  return width
}

export function getTargetScrollBarSize(): { width: number; height: number } {
  return { width: getScrollBarSize(), height: getScrollBarSize() }
}
