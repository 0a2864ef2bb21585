import type { Resvg } from '@resvg/resvg-wasm'

export function loadResvg(): Promise<typeof Resvg>
