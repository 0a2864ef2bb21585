import { vi } from 'vitest'

/** A browser that draws every picture as this JPEG. */
export function stubDrawing(...written: readonly Buffer[]): void {
  const queue = [...written]
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4_000, height: 3_000, close: () => undefined }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect: () => undefined,
    drawImage: () => undefined,
  } as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockImplementation(
    () => `data:image/jpeg;base64,${queue.length}`,
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => {
    const bytes = queue.length > 1 ? queue.shift() : queue[0]
    done({ arrayBuffer: async () => new Uint8Array(bytes ?? []).buffer } as Blob)
  })
}
